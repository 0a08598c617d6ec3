// Loads scripts into this process one after another, as if Node ran each of them with its arguments. Prints how each ended, as JSON.
//   node testing/load-scripts.ts '[["scripts/a.mjs", "--option"], …]'
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Ended } from './project-copy.ts';

/** Exit of a script, in the place of the exit of this process. */
class Exit extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`exit with ${status}`);
    this.status = status;
  }
}

const [node = '', , given = '[]'] = process.argv;
const folder = process.cwd();
const print = process.stdout.write.bind(process.stdout);
const exit = process.exit.bind(process);
const ends: Ended[] = [];
process.exit = (status = process.exitCode) => {
  throw new Exit(Number(status ?? 0));
};
for (const [script = '', ...argv] of JSON.parse(given) as readonly (readonly string[])[])
  ends.push(await endOf(resolve(folder, script), argv));
// A script may have left a timer or a server, which no longer matters.
print(JSON.stringify(ends), () => exit(0));

/** Loads a script until it exits. Returns its status and what it wrote. */
async function endOf(script: string, argv: readonly string[]): Promise<Ended> {
  const written = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    process[name].write = (text: string | Uint8Array): boolean => {
      written[name] += typeof text === 'string' ? text : Buffer.from(text).toString();
      return true;
    };
  process.chdir(folder);
  process.argv = [node, script, ...argv];
  try {
    await import(pathToFileURL(script).href);
    return { status: Number(process.exitCode ?? 0), ...written };
  } catch (error) {
    if (error instanceof Exit) return { status: error.status, ...written };
    return { status: 1, stdout: written.stdout, stderr: `${written.stderr}${String(error)}` };
  }
}
