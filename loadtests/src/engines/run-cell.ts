import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const SOURCE = import.meta.url.endsWith('.ts');

/** Most time of a cell, ms: an engine that does not come back is ended, and what it said before counts. */
const CAP_MS = 120_000;

/**
 * Runs a cell in a process of its own, so that no engine's type feedback slows another and none can hang the run. Gives what it prints, a
 * JSON value a line.
 *
 * @param module the cell's module, `import.meta.url` of the caller and its path from there without the extension
 */
export function runCell<T>(module: { readonly from: string; readonly path: string }, args: readonly string[], capMs = CAP_MS): T[] {
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
