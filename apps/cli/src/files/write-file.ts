import { writeFileSync } from 'node:fs';

/** Writes a file that the command line names. Throws if it cannot be written. */
export const writeFile = (path: string, content: string | Uint8Array): void => writeFileSync(path, content);

/** Writes a new file. Throws if there is something at the path already. */
export const writeNewFile = (path: string, content: string): void => writeFileSync(path, content, { flag: 'wx' });
