// Installs packages that only one tool needs, at its first call, so that other users need not install them.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const CACHE = join(import.meta.dirname, '../node_modules/.cache');

/**
 * Installs packages in a folder below `node_modules/.cache`, if they are not there. Returns the folder, or undefined if npm fails. Packages
 * there find packages that they do not bring themselves, such as vitest, in the project.
 * @param {string} name of the folder
 * @param {readonly string[]} packages with their versions, such as `fastify@5.12.8`
 */
export function installApart(name, packages) {
  const folder = join(CACHE, name);
  const stamp = join(folder, '.installed');
  const wanted = packages.join(' ');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return folder;
  mkdirSync(folder, { recursive: true });
  process.stderr.write(`installing ${wanted}\n`);
  const options = ['--no-save', '--no-audit', '--no-fund', '--omit=peer', '--prefix', folder];
  const { status } = spawnSync('npm', ['install', ...options, ...packages], { stdio: ['ignore', 2, 2] });
  if (status !== 0) return undefined;
  writeFileSync(stamp, wanted);
  return folder;
}
