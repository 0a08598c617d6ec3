import { basename, dirname, join, sep } from 'node:path';
import { createGunzip } from 'node:zlib';
import { unpackTar } from 'modern-tar';
import type { TarHeader } from 'modern-tar';
import { z } from 'zod';
import { isThere } from '../files/file-access.ts';
import type { FileAccess, FileReading } from '../files/file-access.ts';
import { FILE_LIMITS, FileProblem, unreadableReason } from '../files/file-problem.ts';
import type { InputFile } from '../documents/read-inputs.ts';
import { TimedOut } from '../timeout.ts';

/** Media type of the layer of an OCI artifact that contains a Helm chart. Source: helm pkg/registry/constants.go (3.18). */
const CHART_LAYER = 'application/vnd.cncf.helm.chart.content.v1.tar+gzip';

/** Returns true if a file name has the extension of a packed chart. */
export const isChartArchive = (file: string): boolean => /\.(?:tgz|tar\.gz)$/.test(file);

/** Size in bytes of the blocks in which an archive is unpacked. Between two blocks, the timeout is polled. */
const BLOCK_BYTES = 1024 * 1024;

/**
 * Reads the definitions in a packed chart that `helm package` or `helm pull` wrote: the files in the `crds` folders of the chart and of its
 * subcharts.
 *
 * @param budget rest of the limits for all archives of a command
 */
export async function readChartArchive(
  path: string,
  access: FileAccess,
  budget: ArchiveBudget,
): Promise<FileReading<readonly InputFile[]>> {
  try {
    budget.take('files', 1);
    const packed = access.read(path, FILE_LIMITS.archive);
    if (!packed.ok) return packed;
    const unpacked = await unpack(packed.content, access, budget);
    const filter = ({ name, type }: Pick<TarHeader, 'name' | 'type'>): boolean => {
      budget.take('names', 1);
      access.poll();
      return type === 'file' && isDefinitionOfChart(name);
    };
    const entries = await unpackTar(unpacked, { strict: true, filter });
    const content = entries.flatMap(({ header: { name }, data }) =>
      data === undefined ? [] : [{ name: `${path}/${name}`, bytes: Buffer.from(data) }],
    );
    return { ok: true, content };
  } catch (error) {
    if (error instanceof TimedOut) throw error;
    return { ok: false, problem: error instanceof FileProblem ? error.message : `is no packed chart (${unreadableReason(error)})` };
  }
}

/** Returns the unpacked bytes of a gzip file. Bytes are counted even if the file is found to be broken. */
async function unpack(packed: Buffer, access: FileAccess, budget: ArchiveBudget): Promise<Buffer> {
  const gunzip = createGunzip({ chunkSize: BLOCK_BYTES });
  gunzip.end(packed);
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of gunzip as AsyncIterable<Buffer>) {
    access.poll();
    budget.take('unpackedBytes', part.length);
    length += part.length;
    budget.check('keptBytes', length);
    parts.push(part);
  }
  budget.take('keptBytes', length);
  return Buffer.concat(parts);
}

/**
 * Returns true if a path in an archive is a definition file of the chart (`chart/crds/x.yaml`) or of a subchart
 * (`chart/charts/other/crds/x.yaml`).
 */
const isDefinitionOfChart = (name: string): boolean => /^(?:\.\/)?[^/]+\/(?:charts\/[^/]+\/)*crds\/.*\.(?:ya?ml|json)$/.test(name);

/**
 * Returns a predicate for files that may contain a definition. A folder with a `Chart.yaml` is a chart. Only files in the `crds` folder of a
 * chart may contain a definition. The other files of a chart are templates and values.
 */
export function chartFilter(folder: string): (file: string) => boolean {
  const charts = new Map<string, boolean>();
  const isChart = (path: string): boolean => {
    const known = charts.get(path) ?? isThere(join(path, 'Chart.yaml'));
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
 * Each blob is returned, and read, once. Throws {@link FileProblem} if the layout exceeds the budget.
 */
export function chartsOfLayout(folder: string, access: FileAccess, budget: ArchiveBudget, report: (problem: string) => void): string[] {
  const json = (path: string): unknown => {
    budget.take('files', 1);
    const text = access.read(path, FILE_LIMITS.manifest);
    if (!text.ok) report(`${path}: ${text.problem}`);
    try {
      return text.ok ? JSON.parse(text.content.toString('utf8')) : undefined;
    } catch {
      return undefined;
    }
  };
  const blobs = (digests: readonly string[]): Set<string> => {
    budget.take('names', digests.length);
    const hashes = digests.flatMap((digest) => DIGEST.exec(digest)?.[1] ?? []);
    return new Set(hashes.map((hex) => join(folder, 'blobs', 'sha256', hex)));
  };
  const index = ociIndex.safeParse(json(join(folder, 'index.json')));
  const charts = new Set<string>();
  for (const path of blobs(index.success ? index.data.manifests.map(({ digest }) => digest) : [])) {
    const manifest = ociManifest.safeParse(json(path));
    const layers = manifest.success ? manifest.data.layers : [];
    for (const chart of blobs(layers.filter(({ mediaType }) => mediaType === CHART_LAYER).map(({ digest }) => digest))) charts.add(chart);
  }
  return [...charts];
}

/** Limits for all archives and OCI layouts of one command together. Archives that cannot be read count, too. */
export const ARCHIVE_LIMITS = {
  /** Bytes of the unpacked archives whose definitions are used. */
  keptBytes: 128 * 1024 * 1024,
  /** Bytes that are unpacked, including those of archives that are given up. */
  unpackedBytes: 512 * 1024 * 1024,
  /** Names of files in archives, and digests in OCI layouts. */
  names: 100_000,
  /** Archives, indexes and manifests that are opened. */
  files: 10_000,
} as const;

type Resource = keyof typeof ARCHIVE_LIMITS;

const PROBLEMS: Readonly<Record<Resource, string>> = {
  keptBytes: `unpacked it and those before it are larger than ${ARCHIVE_LIMITS.keptBytes} bytes`,
  unpackedBytes: `with it, archives have unpacked more than ${ARCHIVE_LIMITS.unpackedBytes} bytes: no further archive is read`,
  names: `with it, archives have more than ${ARCHIVE_LIMITS.names} names: no further archive is read`,
  files: `with it, there are more than ${ARCHIVE_LIMITS.files} archives and manifests: no further archive is read`,
};

/** Rest of {@link ARCHIVE_LIMITS} that a command may still use. */
export class ArchiveBudget {
  readonly #left: Record<Resource, number> = { ...ARCHIVE_LIMITS };

  /** True if a resource is used up so that no further archive may be opened. */
  get isSpent(): boolean {
    return this.#left.unpackedBytes < 0 || this.#left.names < 0 || this.#left.files < 0;
  }

  /** Throws {@link FileProblem} if less than `amount` of a resource is left. */
  check(resource: Resource, amount: number): void {
    if (amount > this.#left[resource]) throw new FileProblem(PROBLEMS[resource]);
  }

  /** Takes an amount of a resource. Throws {@link FileProblem} if less is left. All but `keptBytes` are then used up. */
  take(resource: Resource, amount: number): void {
    if (resource === 'keptBytes') this.check(resource, amount);
    this.#left[resource] -= amount;
    if (this.#left[resource] < 0) throw new FileProblem(PROBLEMS[resource]);
  }
}
