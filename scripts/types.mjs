// Checks the types of the whole project, or of folders and everything that they import.
//   npm run types [-- FOLDER…]
import { spawnSync } from 'node:child_process';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { programArguments, wrongArguments } from '../testing/program-arguments.ts';

const USAGE = 'usage: npm run types [-- FOLDER…]\n';
const { positionals } = programArguments(USAGE, {}, 'operands');
const root = join(import.meta.dirname, '..');
process.chdir(root);
/** Folder whose files need the types of a browser. It has its own settings for the compiler. */
const PAGE = 'apps/page';
const folders = positionals.map((folder) => relative(root, resolve(folder)));
for (const folder of folders)
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) wrongArguments(`${folder} is not a folder of the project`, USAGE);

const others = folders.filter((folder) => folder !== PAGE);
const projects = [
  ...(folders.length === 0 ? ['tsconfig.json'] : others.length > 0 ? [settingsFor(others)] : []),
  ...(folders.length === 0 || folders.includes(PAGE) ? [`${PAGE}/tsconfig.json`] : []),
];
const ended = projects.map(
  (project) => spawnSync(process.execPath, ['node_modules/ts7/bin/tsc', '-p', project], { stdio: 'inherit' }).status ?? 1,
);
process.exit(Math.max(...ended));

/** Writes settings that make the compiler check only some folders. Returns the path of the settings. */
function settingsFor(included) {
  const cache = 'node_modules/.cache';
  mkdirSync(cache, { recursive: true });
  const up = relative(cache, '.');
  const settings = { extends: `${up}/tsconfig.json`, include: included.map((folder) => `${up}/${folder}`), exclude: [] };
  const path = `${cache}/types.tsconfig.json`;
  writeFileSync(path, JSON.stringify({ ...settings, compilerOptions: { rootDir: up } }));
  return path;
}
