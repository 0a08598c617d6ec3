import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { UsageError } from './usage.ts';

const EXTENSIONS = new Set(['.yaml', '.yml', '.json', '.ndjson', '.jsonl']);

/** One input: its name as shown to the user, and its bytes. */
export interface InputFile {
  readonly name: string;
  readonly bytes: Buffer;
}

/** Reads files, folders (recursively, in name order) and standard input; throws {@link UsageError} for what is not there. */
export function* readInputs(paths: readonly string[]): Generator<InputFile> {
  for (const path of paths) {
    if (path === '-') yield { name: 'stdin', bytes: readFileSync(0) };
    else if (isFolder(path)) {
      const entries = readdirSync(path, { recursive: true, encoding: 'utf8' }).sort();
      for (const entry of entries) {
        const file = join(path, entry);
        if (EXTENSIONS.has(extname(entry)) && !isFolder(file)) yield { name: file, bytes: readFileSync(file) };
      }
    } else yield { name: path, bytes: readFileSync(path) };
  }
}

/** Whether a path is a folder, and no file; throws {@link UsageError} for what is not there. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    throw new UsageError(`${path}: no such file or folder`);
  }
}
