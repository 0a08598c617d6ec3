// Installs, generates and builds everything that is missing. Runs under any Node from version 20 on, so it imports only core modules.
//   node scripts/bootstrap.mjs [--build]       for the npm scripts and for `./assay`
//   node scripts/bootstrap.mjs --installed     for npm, which calls this after each installation
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateFiles } from './generate/generated-files.mjs';

process.chdir(join(import.meta.dirname, '..'));
const INSTALL_STAMP = 'node_modules/.install-stamp';
const BUILD_STAMP = 'dist/.built';
// The results of load tests are not sources, so that a run does not cause a build.
const SOURCES = ['apps', 'libs', 'conformance', 'loadtests/src', 'testing', 'scripts/web', 'scripts/loading', 'examples'];

const say = (text) => process.stderr.write(`[bootstrap] ${text}\n`);
const textOf = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : '');

function run(command, args, env = process.env) {
  // Output of npm and the compiler goes to standard error, because standard output belongs to the script, for example for verdicts.
  const { error, status } = spawnSync(command, args, { stdio: ['ignore', 2, 2], env });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

/**
 * Returns the environment for npm, without variables that would change what is installed. npm passes its settings to scripts as variables
 * with the prefix npm_config_.
 */
function installEnvironment() {
  const env = { ...process.env };
  for (const key of Object.keys(env))
    if (/^npm_(config_(omit|include|production|global|ignore_scripts|workspace|prefix)|lifecycle|package)/i.test(key)) delete env[key];
  delete env.NODE_ENV;
  return env;
}

function install() {
  const wanted = createHash('sha256').update(readFileSync('package-lock.json')).digest('hex');
  if (textOf(INSTALL_STAMP) === wanted) return;
  say('installing dependencies, which takes about a minute');
  const npm = process.env.npm_execpath;
  // npm passes its own path to its scripts. `./assay` is started without npm.
  const [program, first] = npm === undefined ? ['npm', []] : [process.execPath, [npm]];
  run(program, [...first, 'ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'], installEnvironment());
  writeFileSync(INSTALL_STAMP, wanted);
}

function newest(folder) {
  let time = 0;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) time = Math.max(time, statSync(join(entry.parentPath, entry.name)).mtimeMs);
  return time;
}

function build() {
  const checked = new Date();
  const changed = Math.max(
    ...SOURCES.map(newest),
    ...['package-lock.json', 'tsconfig.json', 'tsconfig.build.json', 'scripts/bundle.mjs', 'scripts/page.mjs'].map(
      (f) => statSync(f).mtimeMs,
    ),
  );
  const built = existsSync(BUILD_STAMP) ? statSync(BUILD_STAMP).mtimeMs : 0;
  // Renews the time of the stamp, because `./assay` compares it with the time of the last pull.
  if (built > changed) return utimesSync(BUILD_STAMP, checked, checked);
  say('building, which takes about a minute');
  run('node_modules/.bin/node', ['scripts/build.mjs']);
}

if (!process.argv.includes('--installed')) install();
// Without development packages (`npm ci --omit=dev`), there is nothing that could use the generated files.
if (existsSync('node_modules/antlr-ng')) generateFiles();
if (process.argv.includes('--build')) build();
