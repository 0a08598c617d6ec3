import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * Returns the path of a file in Assay's folder below the user's cache folder. Creates the file if it does not exist. Only this user may read
 * it. Throws if the system refuses. Source: XDG Base Directory Specification 0.8.
 */
export function cacheFile(name: string, { XDG_CACHE_HOME = '' }: NodeJS.ProcessEnv): string {
  const folder = join(XDG_CACHE_HOME === '' ? join(homedir(), '.cache') : XDG_CACHE_HOME, 'assay');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, name);
  closeSync(openSync(file, 'a', 0o600));
  chmodSync(file, 0o600);
  return file;
}
