import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

/** The project's root: two folders above this file's, from source and from dist/ alike. */
const ROOT = resolve(import.meta.dirname, import.meta.url.endsWith('.ts') ? '../..' : '../../..');

/** Folder of upstream's recorded behaviour, which may be absent: `shared/` beside the project. */
export const SHARED = resolve(ROOT, '../shared');

/** True when {@link SHARED} is there; suites that need it are skipped, and say so, where it is not. */
export const sharedIsHere = existsSync(resolve(SHARED, 'oracle/golden'));

/** Returns a file of this project's conformance folder. */
export function conformanceFile(name: string): string {
  return resolve(ROOT, 'conformance', name);
}
