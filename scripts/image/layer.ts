import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { packTar } from 'modern-tar';

/** File, folder or link in an image: the path without a leading slash, the numeric owner (used for user and group), and the content. */
export type LayerEntry = { path: string; owner?: number } & (
  | { kind: 'file'; bytes: Uint8Array; executable?: boolean }
  | { kind: 'folder' }
  | { kind: 'link'; target: string }
);

/**
 * Gzipped layer as stored in a registry. `digest` is the digest of these bytes, and `diffId` is the digest of the uncompressed archive.
 * Both are prefixed with their algorithm.
 */
export interface Layer {
  bytes: Uint8Array;
  digest: string;
  diffId: string;
}

/** Time stamp of all files and settings in an image. It is constant, because two builds of the same state must produce the same bytes. */
export const EPOCH = new Date(0);

/**
 * Packs entries into a layer and adds missing folders. The same entries produce the same bytes, because entries are sorted by path and
 * owners, modes and times are fixed.
 */
export async function packLayer(entries: readonly LayerEntry[]): Promise<Layer> {
  const archive = await packTar(withFolders(entries).map(tarEntry));
  const bytes = gzipSync(archive, { level: 6 });
  // The tenth byte of gzip is the operating system: 255 means "unknown".
  bytes[9] = 255;
  return { bytes, digest: digestOf(bytes), diffId: digestOf(archive) };
}

/** Returns the SHA-256 digest of bytes in the format of image manifests. */
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
  // The order is that of code units, so a folder comes before its content, regardless of the locale.
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
