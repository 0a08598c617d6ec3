// Compiles every app and library into dist/ with one run of the TypeScript compiler.
import { spawnSync } from 'node:child_process';
import { chmodSync, rmSync } from 'node:fs';
import { join } from 'node:path';

process.chdir(join(import.meta.dirname, '..'));
rmSync('dist', { recursive: true, force: true });
const { status } = spawnSync(process.execPath, ['node_modules/ts7/bin/tsc', '-p', 'tsconfig.build.json'], { stdio: 'inherit' });
if (status === 0) chmodSync('dist/apps/cli/src/main.js', 0o755);
process.exit(status ?? 1);
