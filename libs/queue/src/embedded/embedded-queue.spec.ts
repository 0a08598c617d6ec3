import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { queueContract } from '../../test/contract.ts';
import { EmbeddedQueue } from './embedded-queue.ts';

let file = '';
queueContract(
  'embedded',
  () => {
    file = join(mkdtempSync(join(tmpdir(), 'assay-queue-')), 'journal.sqlite');
    return Promise.resolve(new EmbeddedQueue(file));
  },
  () => Promise.resolve(new EmbeddedQueue(file)),
);
