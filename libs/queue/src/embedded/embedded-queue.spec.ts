import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { queueContract } from '../../test/contract.ts';
import { DEFAULT_QUEUE_LIMITS } from '../limits.ts';
import { EmbeddedQueue } from './embedded-queue.ts';

let file = '';
queueContract('embedded', {
  open: (limits) => {
    file = join(mkdtempSync(join(tmpdir(), 'assay-queue-')), 'journal.sqlite');
    return Promise.resolve(new EmbeddedQueue(file, { ...DEFAULT_QUEUE_LIMITS, ...limits }));
  },
  reopen: () => Promise.resolve(new EmbeddedQueue(file)),
});
