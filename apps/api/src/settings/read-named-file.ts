import { readFileSync } from 'node:fs';

/** Returns the content of a file that a setting names. Throws an error with the variable of the setting if the file cannot be read. */
export function readNamedFile(variable: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
    throw new Error(`${variable}: ${file} cannot be read (${code})`, { cause: error });
  }
}
