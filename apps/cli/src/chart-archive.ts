import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { unpackTar } from 'modern-tar';
import { z } from 'zod';
import { reasonOf } from './find-files.ts';
import type { InputFile } from './read-inputs.ts';

/** Maximum size of a packed archive in bytes. Real charts are far smaller. */
const MOST_PACKED = 32 * 1024 * 1024;
/**
 * Maximum unpacked size in bytes of all archives of a folder together. The limit protects against one archive that expands enormously, and
 * against many small archives.
 */
export const MOST_UNPACKED = 128 * 1024 * 1024;
/** Media type of the layer of an OCI artifact that contains a Helm chart. Source: helm pkg/registry/constants.go (3.18). */
const CHART_LAYER = 'application/vnd.cncf.helm.chart.content.v1.tar+gzip';

/** Returns true if a file name has the extension of a packed chart. */
export const isChartArchive = (file: string): boolean => /\.(?:tgz|tar\.gz)$/.test(file);

/**
 * Result of reading a packed chart: the files in the `crds` folders of the chart and of its subcharts, with the unpacked size in bytes. If
 * the chart cannot be read, the result is the reason.
 */
export type ChartFiles =
  | { readonly ok: true; readonly files: readonly InputFile[]; readonly unpackedBytes: number }
  | { readonly ok: false; readonly problem: string };

/**
 * Reads the definitions in a packed chart that `helm package` or `helm pull` wrote.
 *
 * @param mostUnpacked maximum unpacked size of the archive in bytes
 */
export async function readChartArchive(path: string, mostUnpacked: number): Promise<ChartFiles> {
  try {
    if (!statSync(path).isFile()) return { ok: false, problem: 'is no file' };
    if (statSync(path).size > MOST_PACKED) return { ok: false, problem: `larger than ${MOST_PACKED} bytes` };
    const unpacked = gunzipSync(readFileSync(path), { maxOutputLength: mostUnpacked });
    const entries = await unpackTar(unpacked, { strict: true, filter: ({ name, type }) => type === 'file' && isDefinitionOfChart(name) });
    const files = entries.flatMap(({ header: { name }, data }) =>
      data === undefined ? [] : [{ name: `${path}/${name}`, bytes: Buffer.from(data) }],
    );
    return { ok: true, files, unpackedBytes: unpacked.length };
  } catch (error) {
    const isBomb = error instanceof RangeError;
    return {
      ok: false,
      problem: isBomb
        ? `unpacked it and those before it are larger than ${MOST_UNPACKED} bytes`
        : `is no packed chart (${reasonOf(error)})`,
    };
  }
}

/**
 * Returns true if a path in an archive is a definition file of the chart (`chart/crds/x.yaml`) or of a subchart
 * (`chart/charts/other/crds/x.yaml`).
 */
const isDefinitionOfChart = (name: string): boolean => /^(?:\.\/)?[^/]+\/(?:charts\/[^/]+\/)*crds\/.*\.(?:ya?ml|json)$/.test(name);

/**
 * Returns a predicate for files that may contain a definition. In a folder that is a chart (it has a Chart.yaml), only files in its `crds`
 * folder may contain a definition. The other files of a chart are templates and values.
 */
export function chartFilter(folder: string): (file: string) => boolean {
  const charts = new Map<string, boolean>();
  const isChart = (path: string): boolean => {
    const known = charts.get(path) ?? existsSync(join(path, 'Chart.yaml'));
    charts.set(path, known);
    return known;
  };
  return (file) => {
    let inside = basename(file);
    for (let path = dirname(file); path.length >= folder.length; path = dirname(path)) {
      if (isChart(path)) return inside.startsWith(`crds${sep}`);
      inside = join(basename(path), inside);
    }
    return true;
  };
}

const ociIndex = z.object({ manifests: z.array(z.object({ digest: z.string() })) });
const ociManifest = z.object({ layers: z.array(z.object({ mediaType: z.string(), digest: z.string() })).default([]) });
/** Pattern of digests in OCI registries. No other text is accepted, because the digest becomes part of a path. */
const DIGEST = /^sha256:([0-9a-f]{64})$/;

/**
 * Returns the paths of the packed charts in a folder that is an OCI image layout. Registry clients write artifacts to disk in this form.
 * Returns an empty list if the folder is not an OCI image layout or contains no charts.
 */
export function chartsOfLayout(folder: string): readonly string[] {
  if (!existsSync(join(folder, 'oci-layout'))) return [];
  const json = (path: string): unknown => {
    try {
      return statSync(path).size > MOST_PACKED ? undefined : JSON.parse(readFileSync(path, 'utf8'));
    } catch {
      return undefined;
    }
  };
  const blob = (digest: string): string[] => {
    const [, hex] = DIGEST.exec(digest) ?? [];
    return hex === undefined ? [] : [join(folder, 'blobs', 'sha256', hex)];
  };
  const index = ociIndex.safeParse(json(join(folder, 'index.json')));
  const manifests = index.success ? index.data.manifests.flatMap(({ digest }) => blob(digest)) : [];
  return manifests.flatMap((path) => {
    const manifest = ociManifest.safeParse(json(path));
    const layers = manifest.success ? manifest.data.layers : [];
    return layers.flatMap(({ mediaType, digest }) => (mediaType === CHART_LAYER ? blob(digest) : []));
  });
}
