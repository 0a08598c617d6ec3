import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { packTar } from 'modern-tar';

/** A file, folder or link of an image: its path without a leading slash, its owner's number (user and group alike), and what is there. */
export type LayerEntry = { path: string; owner?: number } & (
  { kind: 'file'; bytes: Uint8Array; executable?: boolean } | { kind: 'folder' } | { kind: 'link'; target: string }
);

/**
 * A gzipped layer, as a registry keeps it. `digest` is the digest of these bytes, `diffId` the digest of the archive before compression. Both name their
 * algorithm.
 */
export interface Layer {
  bytes: Uint8Array;
  digest: string;
  diffId: string;
}

/** The time of everything in an image: nothing in it may tell when it was built, or two builds of one state would differ. */
export const EPOCH = new Date(0);

/**
 * Packs entries into a layer. The same entries make the same bytes: they are sorted by path, and owners, modes and times are fixed. Missing folders are
 * added.
 */
export async function packLayer(entries: readonly LayerEntry[]): Promise<Layer> {
  const archive = await packTar(withFolders(entries).map(tarEntry));
  const bytes = gzipSync(archive, { level: 6 });
  // The tenth byte of gzip names the system that wrote it: 255 is "unknown".
  bytes[9] = 255;
  return { bytes, digest: digestOf(bytes), diffId: digestOf(archive) };
}

/** The SHA-256 of bytes, as images name what they are made of. */
export function digestOf(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

function withFolders(entries: readonly LayerEntry[]): LayerEntry[] {
  const byPath = new Map<string, LayerEntry>();
  for (const { path } of entries) {
    const names = path.split('/');
    for (let depth = 1; depth < names.length; depth++) {
      const folder = names.slice(0, depth).join('/');
      byPath.set(folder, { path: folder, kind: 'folder' });
    }
  }
  for (const entry of entries) byPath.set(entry.path, entry);
  // By code units: a folder stands before what is in it, and no locale decides.
  return [...byPath.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

function tarEntry(entry: LayerEntry) {
  const shared = { mtime: EPOCH, uid: entry.owner ?? 0, gid: entry.owner ?? 0, uname: '', gname: '' };
  switch (entry.kind) {
    case 'folder':
      return { header: { ...shared, name: `${entry.path}/`, type: 'directory' as const, size: 0, mode: 0o755 } };
    case 'link':
      return { header: { ...shared, name: entry.path, type: 'symlink' as const, size: 0, mode: 0o777, linkname: entry.target } };
    case 'file':
      return {
        header: { ...shared, name: entry.path, type: 'file' as const, size: entry.bytes.length, mode: entry.executable ? 0o755 : 0o644 },
        body: entry.bytes,
      };
  }
}
