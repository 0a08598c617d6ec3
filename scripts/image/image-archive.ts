import { packTar } from 'modern-tar';
import { EPOCH, digestOf, type Layer } from './layer.ts';

const MANIFEST = 'application/vnd.oci.image.manifest.v1+json';
const INDEX = 'application/vnd.oci.image.index.v1+json';
const CONFIG = 'application/vnd.oci.image.config.v1+json';
const LAYER = 'application/vnd.oci.image.layer.v1.tar+gzip';

/**
 * Image that is not yet written: its name with a tag, its architecture (such as `amd64`), settings, labels and layers. Each layer states
 * how it was created, and the lowest layer comes first.
 */
export interface Image {
  reference: string;
  architecture: string;
  settings: object;
  labels: Record<string, string>;
  layers: readonly { layer: Layer; madeBy: string }[];
}

/**
 * Archive of an image that `docker load`, `podman load`, `ctr images import` and `kind load image-archive` accept. `digest` is the digest
 * by which a registry would identify the image.
 */
export interface ImageArchive {
  bytes: Uint8Array;
  digest: string;
}

/**
 * Writes an image as an OCI image layout into one archive. The archive also contains the manifest.json that Docker before version 25 reads.
 * The result does not depend on the time or the place of writing.
 */
export async function archiveImage({ reference, architecture, settings, labels, layers }: Image): Promise<ImageArchive> {
  const created = EPOCH.toISOString();
  const config = json({
    created,
    architecture,
    os: 'linux',
    config: { ...settings, Labels: labels },
    rootfs: { type: 'layers', diff_ids: layers.map(({ layer }) => layer.diffId) },
    history: layers.map(({ madeBy }) => ({ created, created_by: madeBy })),
  });
  const descriptor = (mediaType: string, bytes: Uint8Array) => ({ mediaType, digest: digestOf(bytes), size: bytes.length });
  const manifest = json({
    schemaVersion: 2,
    mediaType: MANIFEST,
    config: descriptor(CONFIG, config),
    layers: layers.map(({ layer }) => descriptor(LAYER, layer.bytes)),
    annotations: labels,
  });
  const tag = reference.slice(reference.lastIndexOf(':') + 1);
  const index = json({
    schemaVersion: 2,
    mediaType: INDEX,
    manifests: [
      {
        ...descriptor(MANIFEST, manifest),
        platform: { architecture, os: 'linux' },
        annotations: { 'io.containerd.image.name': qualified(reference), 'org.opencontainers.image.ref.name': tag },
      },
    ],
  });
  const blobs = [config, manifest, ...layers.map(({ layer }) => layer.bytes)];
  const docker = json([{ Config: blobPath(config), RepoTags: [reference], Layers: layers.map(({ layer }) => blobPath(layer.bytes)) }]);
  const files: [string, Uint8Array][] = [
    ['oci-layout', json({ imageLayoutVersion: '1.0.0' })],
    ['index.json', index],
    ['manifest.json', docker],
    ...blobs.map((bytes): [string, Uint8Array] => [blobPath(bytes), bytes]).sort(([a], [b]) => (a < b ? -1 : 1)),
  ];
  const entries = files.map(([name, body]) => ({
    header: { name, size: body.length, mtime: EPOCH, mode: 0o644, uid: 0, gid: 0, uname: '', gname: '' },
    body,
  }));
  return { bytes: await packTar(entries), digest: digestOf(manifest) };
}

const json = (value: unknown) => Buffer.from(JSON.stringify(value));
const blobPath = (bytes: Uint8Array) => `blobs/${digestOf(bytes).replace(':', '/')}`;

/** Completes an image reference with the host and folder that Docker allows to omit, because containerd stores complete references. */
function qualified(reference: string): string {
  if (/^[^/]*[.:][^/]*\//.test(reference) || reference.startsWith('localhost/')) return reference;
  return reference.includes('/') ? `docker.io/${reference}` : `docker.io/library/${reference}`;
}
