// Makes the published package: bundles the command line and the library, writes the types, and packs them. Prints the tarball's path last.
//   npm run --silent pack
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundlePackage } from './bundle.mjs';
import { libraryTypes } from './pack/library-types.ts';
import { takeTurn } from './take-turns.mjs';
import { PACKAGE_NAME } from '../testing/package-name.ts';
import { programArguments } from '../testing/program-arguments.ts';

programArguments('usage: npm run --silent pack\n', {});
const root = join(import.meta.dirname, '..');
const run = (command, args) => execFileSync(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8' });

takeTurn(join(root, 'dist/packing'));
/** Folder for the packed package. It differs from the build folder, because specs run the files in the build folder. */
const PACKAGE = join(root, 'dist/packed');
rmSync(PACKAGE, { recursive: true, force: true });
const modules = await bundlePackage(PACKAGE);
for (const [name, text] of await libraryTypes()) writeFileSync(join(PACKAGE, 'lib', name), text);
writeNotices();
cpSync(join(root, 'LICENSE'), join(PACKAGE, 'LICENSE'));
cpSync(join(root, 'CHANGELOG.md'), join(PACKAGE, 'CHANGELOG.md'));
cpSync(join(root, 'apps/library/README.md'), join(PACKAGE, 'README.md'));
writeFileSync(join(PACKAGE, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`);
mkdirSync(join(root, 'dist/tarball'), { recursive: true });
const [{ filename }] = JSON.parse(run('npm', ['pack', PACKAGE, '--json', '--silent', '--pack-destination', 'dist/tarball']));
console.log(join(root, 'dist/tarball', filename));

/** Writes the licences of the bundled packages. */
function writeNotices() {
  const packages = new Set(
    Object.values(modules)
      .flat()
      .flatMap((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []),
  );
  const notices = [...packages].sort().map((name) => {
    const folder = join(root, 'node_modules', name);
    const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    return `${name} ${version} (${license})\n\n${file === undefined ? '' : readFileSync(join(folder, file), 'utf8').trim()}\n`;
  });
  writeFileSync(join(PACKAGE, 'THIRD-PARTY-NOTICES.txt'), notices.join(`\n${'-'.repeat(80)}\n\n`));
}

function manifest() {
  const { version, description, license, repository } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const entry = (name) => ({ types: `./lib/${name}.d.ts`, default: `./lib/${name}.js` });
  const made = {
    name: PACKAGE_NAME,
    version,
    description,
    keywords: ['kubernetes', 'crd', 'customresourcedefinition', 'cel', 'validation', 'kubectl'],
    license,
    repository,
    type: 'module',
    bin: { assay: 'cli/assay.cjs' },
    main: './lib/index.js',
    types: './lib/index.d.ts',
    exports: { '.': entry('index'), './testing': entry('testing'), './vitest': entry('vitest'), './package.json': './package.json' },
    sideEffects: ['./lib/vitest.js', './lib/thread.js', './cli/**'],
    files: ['cli', 'lib', 'CHANGELOG.md', 'THIRD-PARTY-NOTICES.txt'],
    engines: { node: '>=20' },
    peerDependencies: { vitest: '>=5' },
    peerDependenciesMeta: { vitest: { optional: true } },
    // A scoped package is private by default. With provenance, the registry shows the commit and the job that created it.
    publishConfig: { access: 'public', provenance: true },
  };
  for (const target of [made.bin.assay, made.main, made.types])
    if (!existsSync(join(PACKAGE, target))) throw new Error(`${target} is not there`);
  return made;
}
