import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { folderFiles } from '../image/folder-files.ts';
import { packLayer } from '../image/layer.ts';
import { CHARTS } from './state-faults.ts';

/** The project, the folder for artefacts, and the version of the release. */
export interface ReleaseFolder {
  readonly root: string;
  readonly out: string;
  readonly version: string;
}

/** Artefact of a release: the name of its file, and a description. */
export interface Artefact {
  readonly name: string;
  readonly meaning: string;
}

/** Part that the release does not contain, with the reason. */
export interface MissingPart {
  readonly name: string;
  readonly why: string;
}

interface Part {
  /** Returns why the part cannot be built on this machine; undefined if the part can be built. */
  readonly whyNot?: () => string | undefined;
  readonly make: (release: ReleaseFolder) => Promise<Artefact[]>;
}

/** The parts of a release, in the order in which they are made. */
export const PARTS = {
  tarball: { make: makeTarball },
  executable: { make: makeExecutable },
  image: { whyNot: whyNoImage, make: makeImage },
  charts: { make: makeCharts },
  extension: { make: makeExtension },
  site: { make: makeSite },
} as const satisfies Record<string, Part>;

/** The name of a part. */
export type PartName = keyof typeof PARTS;

/** Builds the wanted parts. Returns their files, and the parts that the release lacks. */
export async function makeParts(
  release: ReleaseFolder,
  wanted: ReadonlySet<string>,
): Promise<{ files: readonly Artefact[]; missing: readonly MissingPart[] }> {
  const files: Artefact[] = [];
  const missing: MissingPart[] = [];
  for (const [name, part] of Object.entries<Part>(PARTS)) {
    const why = wanted.has(name) ? part.whyNot?.() : 'left out by --parts';
    if (why !== undefined) missing.push({ name, why });
    else {
      process.stderr.write(`Making: ${name}\n`);
      files.push(...(await part.make(release)));
    }
  }
  return { files, missing };
}

async function makeTarball({ root, out }: ReleaseFolder): Promise<Artefact[]> {
  const path = lastLine(run(root, 'scripts/pack.mjs'));
  copyFileSync(path, join(out, basename(path)));
  return [{ name: basename(path), meaning: 'the package for npm: command line and library' }];
}

async function makeExecutable({ root, out, version }: ReleaseFolder): Promise<Artefact[]> {
  const name = `assay-${version}-${PLATFORM}`;
  run(root, 'scripts/executable.mjs', '--out', join(out, name));
  return [{ name, meaning: `the command line with Node, for ${PLATFORM}` }];
}

async function makeImage({ root, out, version }: ReleaseFolder): Promise<Artefact[]> {
  const name = `assay-image-${version}-${PLATFORM}.tar`;
  const [digest] = run(root, 'scripts/image/main.ts', '--out', join(out, name), '--tag', `assay:${version}`).split('\n');
  return [{ name, meaning: `the image assay:${version}, digest ${String(digest)}` }];
}

/**
 * Returns why no image can be built on this machine; undefined if an image can be built. An image needs libraries from the machine's Debian
 * packages.
 */
function whyNoImage(): string | undefined {
  if (process.platform !== 'linux') return `an image needs Debian, and this is ${process.platform}`;
  const absent = ['dpkg-query', 'ldd'].find((program) => spawnSync(program, ['--version']).status !== 0);
  return absent === undefined ? undefined : `an image needs Debian, and ${absent} is not on PATH`;
}

/** Packs each Helm chart as Helm does: an archive with the chart's folder, named after the chart and its version. */
async function makeCharts({ root, out, version }: ReleaseFolder): Promise<Artefact[]> {
  for (const chart of CHARTS) await writeArchive(join(root, 'k8s/charts', chart), chart, join(out, `${chart}-${version}.tgz`));
  return CHARTS.map((chart) => ({ name: `${chart}-${version}.tgz`, meaning: `the Helm chart ${chart}` }));
}

async function makeExtension({ root, out, version }: ReleaseFolder): Promise<Artefact[]> {
  const name = `assay-vscode-${version}.vsix`;
  run(root, 'scripts/package-vscode.mjs', join(out, name));
  return [{ name, meaning: 'the extension for Visual Studio Code' }];
}

async function makeSite({ root, out, version }: ReleaseFolder): Promise<Artefact[]> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-site-'));
  const name = `assay-site-${version}.tar.gz`;
  try {
    run(root, 'scripts/site.mjs', '--out', folder);
    await writeArchive(folder, `assay-site-${version}`, join(out, name));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return [{ name, meaning: 'the page and the manual, for any web server' }];
}

const PLATFORM = `${process.platform}-${process.arch}`;

/** Writes a gzipped tar of a folder. The same files always produce the same bytes. */
async function writeArchive(folder: string, as: string, file: string): Promise<void> {
  const { bytes } = await packLayer(folderFiles(folder, as));
  writeFileSync(file, bytes);
}

/** Runs a script of the project and returns its output. */
function run(root: string, script: string, ...argv: readonly string[]): string {
  return execFileSync(process.execPath, [script, ...argv], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 64 * 1024 * 1024,
  }).trim();
}

const lastLine = (text: string): string => text.split('\n').at(-1) ?? '';
