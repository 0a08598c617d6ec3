import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

/** Root folder of the project. It is found relative to this file, in the sources as well as in `dist/`. */
const ROOT = resolve(import.meta.dirname, import.meta.url.endsWith('.ts') ? '../..' : '../../..');

/** Folder `shared/` next to the project folder. It contains the recorded behaviour of Kubernetes and may be absent. */
export const SHARED = resolve(ROOT, '../shared');

/**
 * True if the folder {@link SHARED} contains the golden verdicts. If they are missing, the suites that need them are skipped, and a message
 * reports this.
 */
export const sharedIsHere = existsSync(resolve(SHARED, 'oracle/golden'));

/** Returns the absolute path of a file in the conformance folder of this project. */
export function conformanceFile(name: string): string {
  return resolve(ROOT, 'conformance', name);
}
