import { basename, dirname, extname } from 'node:path';
import { isJsonObject } from '#go';
import { groupOf, versionOf } from '#kube';
import { readSlice } from '#documents';
import type { Engine } from '#runner';
import { ArchiveBudget, chartFilter, chartsOfLayout, isChartArchive, readChartArchive } from './chart-archive.ts';
import { isFolder, filesBelow } from '../files/files-below.ts';
import { FileProblem, FILE_LIMITS } from '../files/file-problem.ts';
import type { ReportProblem } from '../files/file-problem.ts';
import type { FileAccess, FileReading } from '../files/file-access.ts';
import { reportOnStderr } from '../report/print.ts';
import { documentsOf, mergeDocuments } from '../documents/read-documents.ts';
import type { PlacedDocument, PlacedDocuments } from '../documents/read-documents.ts';
import { DOCUMENT_EXTENSIONS } from '../documents/read-inputs.ts';
import type { InputFile, ReadingSettings } from '../documents/read-inputs.ts';
import { UsageError } from '../usage.ts';

/**
 * Number of bytes at the beginning of a file that are searched for the group and kind of a definition. Tools write both fields within this
 * range.
 */
const HEAD_BYTES = 16 * 1024;

/** Kind for which a definition is searched. */
interface WantedKind {
  readonly group: string;
  readonly kind: string;
}

/** Folder in which definitions are searched, and the settings for reading files. */
interface CatalogueFolder {
  readonly folder: string;
  readonly reading: ReadingSettings;
}

/**
 * Adds the definitions that the objects of the documents lack. Searches a folder for these definitions by group and kind; the folder may
 * contain some ten thousand files. It first compares file names, next the beginnings of files, and last the contents of packed charts. In a
 * chart, it reads only `crds`. Throws {@link UsageError} if the path is not a folder.
 */
export async function withLackingDefinitions(
  documents: PlacedDocuments,
  { folder, reading }: CatalogueFolder,
  reportProblem: ReportProblem,
  engine: Engine,
): Promise<PlacedDocuments> {
  if (!isFolder(folder)) throw new UsageError(`--crds ${folder}: is no folder`);
  const given = new Set(documents.definitions.map(({ slice }) => definedKind(readSlice(slice))));
  const lacking = kindsOf(documents).filter(({ group, kind }) => !given.has(`${group}/${kind}`));
  if (lacking.length === 0) return documents;
  const found = await documentsOf(
    await new DefinitionCatalogue(folder, reading.access.anywhere(), reportProblem).filesFor(lacking),
    engine,
  );
  const wanted = new Set(lacking.map(({ group, kind }) => `${group}/${kind}`));
  const definitions = found.definitions.flatMap((document): PlacedDocument[] => {
    if (!wanted.has(definedKind(readSlice(document.slice)))) return [];
    // The catalogue contains definitions that clusters have accepted, so the command's field validation does not apply to them.
    return [{ ...document, slice: { ...document.slice, fieldValidation: 'Ignore' } }];
  });
  return mergeDocuments([documents, { ...found, definitions, objects: [], policyDocuments: [], texts: [] }]);
}

/** Returns the kinds of the objects that can be custom resources. Groups without a dot belong to Kubernetes itself and are left out. */
function kindsOf({ texts }: PlacedDocuments): WantedKind[] {
  const names = new Set(texts.flatMap(({ types }) => types.names));
  const kinds = [...names].map((name) => ({ group: groupOf(name), kind: versionOf(name).split(' ')[1] ?? '' }));
  const custom = kinds.filter(({ group, kind }) => group.includes('.') && kind !== '');
  return [...new Map(custom.map((one) => [`${one.group}/${one.kind}`, one])).values()];
}

function definedKind(reading: ReturnType<typeof readSlice>): string {
  const spec = reading.ok && isJsonObject(reading.value) ? reading.value['spec'] : undefined;
  const names = isJsonObject(spec) ? spec['names'] : undefined;
  return isJsonObject(spec) && isJsonObject(names) ? `${String(spec['group'])}/${String(names['kind'])}` : '';
}

class DefinitionCatalogue {
  readonly #files: readonly string[];
  /** Packed charts and OCI layouts in the folder. They are unpacked only if no unpacked file contains the definition. */
  readonly #archives: readonly string[];
  #packed: readonly InputFile[] | undefined;
  readonly #access: FileAccess;
  readonly #reportProblem: ReportProblem;
  readonly #bytes = new Map<string, Buffer>();
  /** Beginnings of all files, by path. They are read once, the first time that no file name matches a kind. */
  #heads: ReadonlyMap<string, string> | undefined;

  constructor(folder: string, access: FileAccess, reportProblem: ReportProblem) {
    this.#reportProblem = reportProblem;
    const isDefinitionFile = (file: string): boolean => DOCUMENT_EXTENSIONS.has(extname(file));
    const isArchive = (file: string): boolean => isChartArchive(file) || isLayout(file);
    const found = filesBelow(folder, { wanted: (file) => isDefinitionFile(file) || isArchive(file), reportProblem, access });
    const isTaken = chartFilter(folder);
    this.#access = found.access;
    this.#files = found.files.filter((file) => isDefinitionFile(file) && isTaken(file));
    this.#archives = found.files.filter(isArchive);
  }

  /** Returns the files that contain definitions of the given kinds, each file once. */
  async filesFor(kinds: readonly WantedKind[]): Promise<InputFile[]> {
    const names = new Set<string>();
    for (const kind of kinds) for (const name of await this.#filesOf(kind)) names.add(name);
    return [...names].map((name) => ({ name, bytes: this.#read(name) }));
  }

  async #filesOf(wanted: WantedKind): Promise<readonly string[]> {
    const named = this.#files.filter((file) => isNamedAfter(file, wanted));
    const byName = named.filter((file) => mayDefine(this.#read(file).toString('utf8'), wanted));
    if (byName.length > 0) return byName;
    const schema = named.find((file) => isJsonSchema(this.#read(file).toString('utf8')));
    if (schema !== undefined) {
      reportOnStderr(
        `${schema}: a JSON Schema, as CRDs-catalog keeps them, without rules and pruning: the CustomResourceDefinition is needed`,
      );
      return [];
    }
    this.#heads ??= new Map(this.#files.map((file) => [file, this.#head(file)]));
    const byHead = [...this.#heads].filter(([, head]) => mayDefine(head, wanted)).map(([file]) => file);
    return byHead.length > 0 ? byHead : this.#packedFilesOf(wanted);
  }

  /** Returns the names of files in packed charts that define a kind. All charts are unpacked at the first call. */
  async #packedFilesOf(wanted: WantedKind): Promise<string[]> {
    this.#packed ??= await this.#unpacked();
    const found = this.#packed.filter(({ bytes }) => {
      this.#access.poll();
      return mayDefine(bytes.toString('utf8'), wanted);
    });
    for (const { name, bytes } of found) this.#bytes.set(name, bytes);
    return found.map(({ name }) => name);
  }

  async #unpacked(): Promise<InputFile[]> {
    const files: InputFile[] = [];
    const budget = new ArchiveBudget();
    const seen = new Set<string>();
    for (const archive of this.#archives.flatMap((one) => (isLayout(one) ? this.#chartsOf(dirname(one), budget) : [one]))) {
      if (budget.isSpent || seen.has(archive)) continue;
      seen.add(archive);
      const read = await readChartArchive(archive, this.#access, budget);
      if (read.ok) files.push(...read.content);
      else this.#reportProblem(`${archive}: ${read.problem}`);
    }
    return files;
  }

  #chartsOf(layout: string, budget: ArchiveBudget): string[] {
    if (budget.isSpent) return [];
    try {
      return chartsOfLayout(layout, this.#access, budget, this.#reportProblem);
    } catch (error) {
      if (!(error instanceof FileProblem)) throw error;
      this.#reportProblem(`${layout}: ${error.message}`);
      return [];
    }
  }

  #read(file: string): Buffer {
    const known = this.#bytes.get(file);
    if (known) return known;
    const bytes = this.#orReport(file, this.#access.read(file, FILE_LIMITS.source));
    this.#bytes.set(file, bytes);
    return bytes;
  }

  #head(file: string): string {
    return this.#orReport(file, this.#access.readHead(file, HEAD_BYTES)).toString('utf8');
  }

  #orReport(file: string, read: FileReading<Buffer>): Buffer {
    if (read.ok) return read.content;
    this.#reportProblem(`${file}: ${read.problem}`);
    return Buffer.alloc(0);
  }
}

/** Pattern for the kinds of documents that define kinds. */
const DEFINITION = /C(?:ustom|omposite)ResourceDefinition/;

const isLayout = (file: string): boolean => basename(file) === 'oci-layout';

/**
 * Returns true if a path contains the group, and the kind or its plural, such as `example.com_widgets.yaml`, `widgets.example.com.yaml` or
 * `example.com/widget_v1.json`.
 */
function isNamedAfter(file: string, { group, kind }: WantedKind): boolean {
  const path = file.toLowerCase();
  // A plural has `ies` instead of a final `y`, so the comparison ignores a final `y`.
  return path.includes(group.toLowerCase()) && path.includes(kind.toLowerCase().replace(/y$/, ''));
}

/**
 * Returns true if a text contains the words that a definition of the kind must have. The text must still be parsed to find out whether it
 * is a definition.
 */
function mayDefine(text: string, { group, kind }: WantedKind): boolean {
  const has = (key: string, value: string): boolean =>
    new RegExp(`\\b${key}["']?\\s*:\\s*["']?${value.replaceAll(/\W/g, '\\$&')}["']?\\s*([,}#]|$)`, 'm').test(text);
  return DEFINITION.test(text) && has('group', group) && has('kind', kind);
}

const isJsonSchema = (text: string): boolean => /^\s*\{/.test(text) && /"properties"\s*:/.test(text) && !DEFINITION.test(text);
