import { readFileSync, readdirSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { LayerEntry } from './layer.ts';

/**
 * Returns all files of a folder, with their paths in the image below `at`. Folders whose name is in `without` are left out at every depth.
 */
export function folderFiles(folder: string, at: string, without: readonly string[] = []): LayerEntry[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry): LayerEntry[] => {
    const from = join(folder, entry.name);
    const path = `${at}/${entry.name}`;
    if (entry.isDirectory()) return without.includes(entry.name) ? [] : folderFiles(from, path, without);
    if (entry.isSymbolicLink()) return [{ path, kind: 'link', target: readlinkSync(from) }];
    return [fileAt(from, path)];
  });
}

/** Returns an image file at `path` with the content of a local file. */
export function fileAt(from: string, path: string): LayerEntry {
  return { path, kind: 'file', bytes: readFileSync(from), executable: (statSync(from).mode & 0o100) !== 0 };
}

/** Returns an image file at `path` with the given text. */
export function textFile(path: string, text: string): LayerEntry {
  return { path, kind: 'file', bytes: Buffer.from(text) };
}
