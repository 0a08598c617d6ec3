import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { thorough } from '../../../../testing/thorough.ts';
import { buildRevision } from './build-revision.ts';

const PROJECT = join(import.meta.dirname, '../../../..');

it.runIf(thorough && existsSync(join(PROJECT, '.git')))(
  'building a revision compiles the last commit, with the source files that Git does not store',
  () => {
    const built = buildRevision(PROJECT, 'HEAD');
    try {
      expect(existsSync(join(built.folder, 'dist/libs/cel/src/index.js'))).toBe(true);
      expect(existsSync(join(built.folder, 'dist/libs/jobs/src/bullmq/lua/commands.js'))).toBe(true);
    } finally {
      built.remove();
    }
  },
  120_000,
);
