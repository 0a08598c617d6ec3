import { writeFileSync } from 'node:fs';
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
