// Runs the bundled command line many times in one process, for specs to which the process itself does not matter. The threads of the engine stay warm.
'use strict';
const { existsSync, readFileSync } = require('node:fs');
const { join } = require('node:path');

const { CodeLoader } = require('../scripts/loading/code-loader.ts');

const folder = join(__dirname, '../dist/package');
// Only this loader finds what a clone has beside the package: the load driver.
const loader = new CodeLoader(folder, require, undefined);
const { newEngine } = loader.load(join(folder, 'cli/chunks/engine.cjs'));
const { runCommandLine } = loader.load(join(folder, 'cli/chunks/main.cjs'));
const shared = newEngine();
const kept = new Proxy(shared, {
  get(engine, name) {
    if (name === 'stop') return () => undefined;
    const value = Reflect.get(engine, name, engine);
    return typeof value === 'function' ? value.bind(engine) : value;
  },
});
const environment = { ...process.env };
const streams = ['stdout', 'stderr'];
const originals = streams.map((name) => process[name].write);

/**
 * Returns the peak memory of this process in MiB. The operating system's maximum contains the memory of the process that started this one,
 * so the function prefers the high-water mark.
 */
function peakMib() {
  const status = '/proc/self/status';
  const own = existsSync(status) ? /VmHWM:\s*(\d+)/.exec(readFileSync(status, 'utf8'))?.[1] : undefined;
  return Number(own ?? process.resourceUsage().maxRSS) / 1024;
}

let usedBefore = process.cpuUsage();
/** Returns the peak memory of this process, and the processor time since the last call. */
function usage() {
  const { user, system } = process.cpuUsage(usedBefore);
  usedBefore = process.cpuUsage();
  return { peakMib: peakMib(), cpuMs: (user + system) / 1000 };
}

/** Runs one command and resolves with its output and its exit status. */
async function run({ argv, cwd, env }) {
  const written = { stdout: '', stderr: '' };
  for (const name of streams)
    process[name].write = (chunk, encoding, done) => {
      written[name] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
      const callback = typeof encoding === 'function' ? encoding : done;
      if (callback !== undefined) process.nextTick(callback);
      return true;
    };
  process.chdir(cwd);
  Object.assign(process.env, env);
  try {
    // A command with a limit of time stops its engine.
    await runCommandLine(argv, argv.includes('--timeout') ? newEngine() : kept);
    return { status: process.exitCode, ...written };
  } finally {
    process.exitCode = undefined;
    streams.forEach((name, i) => (process[name].write = originals[i]));
    for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
    Object.assign(process.env, environment);
  }
}

let last = Promise.resolve();
process.on('message', ({ id, ...command }) => {
  last = last
    .then(() => run(command))
    .then(
      (result) => process.send({ id, result, usage: usage() }),
      (error) => process.send({ id, error: String(error?.stack ?? error), usage: usage() }),
    );
});
process.on('disconnect', () => process.exit());
