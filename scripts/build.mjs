// Generates the files that are not in Git, compiles every app and library into dist/ with one run of the TypeScript compiler, and bundles
// the engine's programs, the package (dist/package) and the page (dist/page).
import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleEngine, bundlePackage } from './bundle.mjs';
import { generateFiles } from './generate/generated-files.mjs';
import { buildPage } from './page.mjs';
import { programArguments } from '../testing/program-arguments.ts';

programArguments('usage: npm run build\n', {});
process.chdir(join(import.meta.dirname, '..'));
rmSync('dist', { recursive: true, force: true });
generateFiles();
// `npm run types` and the linter of `npm run check` check the types. A check here takes three quarters of the compiler's time.
const { status } = spawnSync(process.execPath, ['node_modules/ts7/bin/tsc', '-p', 'tsconfig.build.json', '--noCheck'], {
  stdio: 'inherit',
});
if (status === 0) {
  await bundleEngine();
  await bundlePackage();
  await buildPage();
  // `./assay` and scripts/bootstrap.mjs build again if a source is newer than this file.
  writeFileSync('dist/.built', '');
}
process.exit(status ?? 1);
