import { readFileSync, readdirSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { LayerEntry } from './layer.ts';

/** All files of a folder, with their later places below `at` in the image. It leaves out folders whose name is in `without`, at every depth. */
export function folderFiles(folder: string, at: string, without: readonly string[] = []): LayerEntry[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry): LayerEntry[] => {
    const from = join(folder, entry.name);
    const path = `${at}/${entry.name}`;
    if (entry.isDirectory()) return without.includes(entry.name) ? [] : folderFiles(from, path, without);
    if (entry.isSymbolicLink()) return [{ path, kind: 'link', target: readlinkSync(from) }];
    return [fileAt(from, path)];
  });
}

/** One file of this machine, as it will lie at `path` in the image. */
export function fileAt(from: string, path: string): LayerEntry {
  return { path, kind: 'file', bytes: readFileSync(from), executable: (statSync(from).mode & 0o100) !== 0 };
}

/** A text as a file of the image. */
export function textFile(path: string, text: string): LayerEntry {
  return { path, kind: 'file', bytes: Buffer.from(text) };
}
