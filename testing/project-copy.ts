import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, relative, resolve } from 'node:path';
import { GENERATED_FILES } from '../scripts/generate/generated-files.mjs';
import { TOOLS } from '../scripts/tools/table.ts';
import { projectFiles } from './project-files.ts';

const ROOT = resolve(import.meta.dirname, '..');
/** Folder with the bundles of the command line and of the library. The threads of the command line load these bundles. */
const PACKAGE = 'dist/package';
/** Folder of the build: the programs of the npm scripts, and {@link PACKAGE}. */
const BUILD = 'dist';
/** File that is written after a build. It is newer than all sources. */
const STAMP = 'dist/.built';
/** Script that installs and builds what a program needs, and runs it. */
const RUN = 'scripts/run';
/** Module with the table of tools. */
const TOOL_TABLE = 'scripts/tools/table.ts';
/** Shell script of the clone that runs the command line. */
const COMMAND = 'assay';
/** Module of the load driver, which sends a load to a service. The bundle loads this module in its compiled form. */
const LOAD_DRIVER = 'loadtests/src/load/send-load';
/**
 * Longest times of the first and second attempt of a command, in ms. After this time the command is killed together with all processes that
 * it started.
 *
 * There is a second attempt because of some virtual machines: for minutes, their kernel does not run a new thread. A backtrace of such a
 * process shows Node waiting at its start for threads that have not run yet.
 */
const TIMEOUTS_MS = [100_000, 190_000] as const;

/** Result of a shell command. */
export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Copy of the project in a separate folder, for commands that write files. Under `scripts/check.mjs`, which builds the project first, the
 * copy contains the build. In all other test runs, its npm scripts run from the sources and need no build. The bundle of the command line
 * is then copied, too, and uses the load driver from the sources. The bootstrap of the npm scripts has nothing to install in the copy.
 */
export class ProjectCopy {
  readonly folder = mkdtempSync(join(tmpdir(), 'assay-project-'));
  /** Folders of the copy that exist. */
  readonly #folders = new Set<string>();
  /** Scripts of package.json and tools, in the form in which this copy runs them without npm, by name. */
  readonly scripts: ReadonlyMap<string, string>;

  constructor() {
    for (const file of [...projectFiles(ROOT), ...GENERATED_FILES]) this.#copy(file);
    const isBuilt = process.env['ASSAY_BUILT'] !== undefined;
    if (isBuilt) this.#linkBuild();
    else {
      this.#copy(PACKAGE);
      this.#linkLoadDriver();
    }
    this.#linkPackages();
    this.scripts = this.#prepareScripts(isBuilt);
    writeFileSync(join(this.folder, STAMP), '');
  }

  /** Copies a file, or a folder with everything in it. */
  #copy(path: string): void {
    if (!statSync(join(ROOT, path)).isDirectory()) return this.#place(path, copyFileSync);
    for (const entry of readdirSync(join(ROOT, path))) this.#copy(join(path, entry));
  }

  /**
   * Links the files of the build. Programs never write into these files: they remove a file of the build before they write it again. Copies
   * the files if the folder is on another device.
   */
  #linkBuild(): void {
    for (const entry of readdirSync(join(ROOT, BUILD), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      this.#place(relative(ROOT, join(entry.parentPath, entry.name)), (from, to) => {
        try {
          linkSync(from, to);
        } catch {
          copyFileSync(from, to);
        }
      });
    }
    rmSync(join(this.folder, STAMP), { force: true });
  }

  /** Creates one file of the copy from the project's file at the same path. */
  #place(path: string, create: (from: string, to: string) => void): void {
    const folder = dirname(path);
    if (!this.#folders.has(folder)) mkdirSync(join(this.folder, folder), { recursive: true });
    this.#folders.add(folder);
    create(join(ROOT, path), join(this.folder, path));
  }

  #linkLoadDriver(): void {
    const driver = join(this.folder, 'dist', `${LOAD_DRIVER}.js`);
    mkdirSync(dirname(driver), { recursive: true });
    writeFileSync(driver, `export { sendLoad, sendWrites } from ${JSON.stringify(join(this.folder, `${LOAD_DRIVER}.ts`))};\n`);
  }

  /** Links each installed package separately, so that caches and stamp files of the copy are separate from the project's. */
  #linkPackages(): void {
    const packages = join(this.folder, 'node_modules');
    mkdirSync(packages);
    for (const name of readdirSync(join(ROOT, 'node_modules')))
      if (name === '.bin' || !name.startsWith('.')) symlinkSync(join(ROOT, 'node_modules', name), join(packages, name));
    const lock = readFileSync(join(this.folder, 'package-lock.json'));
    writeFileSync(join(packages, '.install-stamp'), createHash('sha256').update(lock).digest('hex'));
  }

  /**
   * Returns the scripts of package.json and the tools. If the copy contains no build, changes them and the script `assay` first, so that
   * they run from the sources.
   */
  #prepareScripts(isBuilt: boolean): ReadonlyMap<string, string> {
    const form = isBuilt ? (command: string) => command : fromSources;
    const file = join(this.folder, 'package.json');
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as { scripts: Record<string, string> };
    for (const [name, script] of Object.entries(manifest.scripts)) manifest.scripts[name] = form(script);
    if (!isBuilt) {
      writeFileSync(file, JSON.stringify(manifest, null, 2));
      this.#change(COMMAND, (text) => text.replace('exec "$node"', '$& --conditions=source'));
      this.#change(TOOL_TABLE, (text) => text.replaceAll(/'dist\/(\S+)\.js'/g, "fromSources('$1.ts')"));
    }
    const tools = Object.entries(TOOLS).map(([name, { runs }]) => [name, form(`${RUN} ${runs}`)] as const);
    return new Map([...Object.entries(manifest.scripts), ...tools].map(([name, command]) => [name, withoutRun(command)]));
  }

  #change(path: string, change: (text: string) => string): void {
    const file = join(this.folder, path);
    writeFileSync(file, change(readFileSync(file, 'utf8')));
  }

  /**
   * Returns the environment variables for processes in the copy, with `more` added. The copy's programs, such as the pinned Node, come
   * first on the path. Variables of npm, Vitest, Node and Assay are left out.
   */
  environment(more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
    const own = Object.entries(process.env).filter(
      ([name]) => !/^(?:npm_|VITEST|NODE_ENV$|NODE_OPTIONS$|INIT_CWD$|ASSAY_|FORCE_COLOR$)/i.test(name),
    );
    const path = [join(this.folder, 'bin'), join(this.folder, 'node_modules/.bin'), process.env['PATH']].join(delimiter);
    return { ...Object.fromEntries(own), NO_COLOR: '1', PATH: path, ...more };
  }

  /**
   * Runs a bash command line in the copy, or in a folder of the copy, until it ends. The command has no standard input. A command that does
   * not end in time runs a second time, and the log says so.
   */
  async run(command: string, folder = '.', env: Readonly<Record<string, string>> = {}): Promise<Ended> {
    const first = await this.#attempt({ command, folder, env }, TIMEOUTS_MS[0]);
    if (!first.isLate) return first.ended;
    console.warn(`LATE: ${command} did not end in ${TIMEOUTS_MS[0] / 1000} s, and runs again`);
    return (await this.#attempt({ command, folder, env }, TIMEOUTS_MS[1])).ended;
  }

  async #attempt(
    { command, folder, env }: { readonly command: string; readonly folder: string; readonly env: Readonly<Record<string, string>> },
    timeoutMs: number,
  ): Promise<{ readonly ended: Ended; readonly isLate: boolean }> {
    const child = spawn('bash', ['-o', 'pipefail', '-c', command], {
      cwd: join(this.folder, folder),
      env: this.environment(env),
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    const output = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      process.kill(-child.pid!, 'SIGKILL');
    }, timeoutMs);
    const status = await new Promise<number | null>((done) => child.on('close', done));
    clearTimeout(timer);
    return { ended: { status, ...output }, isLate };
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Returns the command of a script or of a tool as a command that runs the sources instead of the build. */
function fromSources(command: string): string {
  return command
    .replace(/scripts\/run(?: --build)?(?=.* (?:\.\/)?dist\/)/, '$& --conditions=source')
    .replace('--import ./dist/apps/', '--import ./apps/api/test/transpile-decorators.ts --import ./dist/apps/')
    .replaceAll(/(\s(?:\.\/)?)dist\/(?!package\/)(\S+)\.js/g, '$1$2.ts');
}

/** Returns a command without the script that installs and builds first, which a copy does not need. */
const withoutRun = (command: string): string => command.replace(/scripts\/run(?: --build)?(?= )/, 'node_modules/.bin/node');
