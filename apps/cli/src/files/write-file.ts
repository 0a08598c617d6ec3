import { writeFileSync, chmodSync, closeSync, mkdirSync, openSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { UsageError } from '../usage.ts';

/** Writes a file that the command line names. Throws if it cannot be written. */
export const writeFile = (path: string, content: string | Uint8Array): void => writeFileSync(path, content);

/** Writes a new file. Throws if there is something at the path already. */
export const writeNewFile = (path: string, content: string): void => writeFileSync(path, content, { flag: 'wx' });

/** Writes a file that an option of the command line names. Throws {@link UsageError} if the file cannot be written. */
export function writeOptionFile(path: string, content: string): void {
  try {
    writeFile(path, content);
  } catch (error) {
    throw new UsageError(`${path} cannot be written: ${error instanceof Error ? error.message : String(error)}`);
  }
}

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
