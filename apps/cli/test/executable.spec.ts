import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { thorough } from '../../../testing/thorough.ts';

const ROOT = resolve(import.meta.dirname, '../../..');

/** It has 150 MB, and takes seconds to make: the long form of the suite does. */
describe.skipIf(!thorough || process.platform !== 'linux')('a single executable', () => {
  it('judges without a Node, a package or a file of ours beside it', () => {
    const folder = mkdtempSync(join(tmpdir(), 'assay-executable-'));
    try {
      const file = join(folder, 'assay');
      execFileSync(process.execPath, ['scripts/executable.mjs', '--out', file], { cwd: ROOT, stdio: 'ignore' });
      const run = (argv: readonly string[]) => spawnSync(file, argv, { cwd: folder, env: { HOME: folder }, encoding: 'utf8' });
      const evaluated = run(['evaluate', join(ROOT, 'examples/gateway-api')]);
      expect(evaluated.stderr).toBe('');
      expect(evaluated.stdout).toContain('Accepted: 1, Rejected: 1, Not evaluated: 0, CEL cost: 563');
      expect(evaluated.status).toBe(1);
      expect(run(['--help'])).toMatchObject({ status: 0, stderr: '' });
      expect(run(['test', join(ROOT, 'examples/rules')]).status).toBe(0);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
