import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const SOURCE = import.meta.url.endsWith('.ts');

/**
 * Longest time in ms of a measurement in a separate process. A process that takes longer is killed, and the output that it wrote before is
 * used.
 */
const CAP_MS = 120_000;

/**
 * Runs a measurement in a separate process. Type feedback of one engine therefore does not slow another one, and no measurement can block
 * the run. Returns the output of the process, which has one JSON value per line.
 *
 * @param module module that measures: `import.meta.url` of the caller, and the path relative to it without the extension
 */
export function runMeasurement<T>(module: { readonly from: string; readonly path: string }, args: readonly string[], capMs = CAP_MS): T[] {
  const file = fileURLToPath(new URL(`${module.path}${SOURCE ? '.ts' : '.js'}`, module.from));
  const conditions = SOURCE ? ['--conditions=source'] : [];
  const { stdout, stderr, error } = spawnSync(process.execPath, [...conditions, file, ...args], { encoding: 'utf8', timeout: capMs });
  const rows = jsonLines<T>(stdout);
  if (rows.length === 0 && stderr !== '' && error === undefined) throw new Error(stderr);
  return rows;
}

/** Returns the values of NDJSON text. */
export function jsonLines<T>(text: string): T[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);
}
