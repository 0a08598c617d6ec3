import { basename, extname, dirname, join } from 'node:path';
import { isFolder, filesBelow } from '../files/files-below.ts';
import { SETTINGS_FILE } from '../options/settings-file.ts';
import { FileProblem, OUTSIDE_UNLESS_NAMED, FILE_LIMITS, sizeInWords } from '../files/file-problem.ts';
import type { ReportProblem } from '../files/file-problem.ts';
import { fetchInput, isAddress } from './fetch-input.ts';
import { FileAccess, identityOf, isThere, wholeStream } from '../files/file-access.ts';
import type { FileReading } from '../files/file-access.ts';
import { glob, isGlob } from '../files/glob.ts';
import type { GlobMatches } from '../files/glob.ts';
import { IgnoredFiles } from '../files/ignored-files.ts';
import { reportOnStderr } from '../report/print.ts';
import { UsageError } from '../usage.ts';
import { isSuite } from '../suite/recognize-suite.ts';

/** Extensions of the files that are read from a folder. */
export const DOCUMENT_EXTENSIONS: ReadonlySet<string> = new Set(['.yaml', '.yml', '.json', '.ndjson', '.jsonl']);

/** Returns true if a file in a folder may contain documents, judging by its name. */
const isDocumentFile = (file: string): boolean => DOCUMENT_EXTENSIONS.has(extname(file)) && basename(file) !== SETTINGS_FILE;

/** Input file: the name that is shown to the user, and the content. */
export interface InputFile {
  readonly name: string;
  readonly bytes: Buffer;
}

/** Options for reading paths. */
export interface ReadingSettings {
  /** True if files that `.gitignore` excludes are left out when a folder is read. */
  readonly ignore: boolean;
  /** True if network addresses are refused as paths. */
  readonly offline: boolean;
  /** Right to read the paths. It is bounded by the repository if the settings file names the paths. */
  readonly access: FileAccess;
}

const USUAL: ReadingSettings = { ignore: true, offline: false, access: new FileAccess() };

/**
 * Reads each input once: files, folders (recursively, in name order), the matches of patterns, addresses and standard input. Throws {@link
 * UsageError} if a path does not exist. A file of a folder that cannot be read is reported, and the remaining files are read. Files of a
 * folder that contain no objects (suites, inputs of kustomize and Helm) are left out. They are reported, but do not count as problems.
 */
export async function readInputs(paths: readonly string[], reportProblem: ReportProblem, settings = USUAL): Promise<InputFile[]> {
  const others = new OtherFiles();
  const inputs = await readListed(listInputs(paths, reportProblem, settings), others, reportProblem);
  others.report();
  return inputs;
}

/** Returns the files for the given paths, each once. Throws {@link UsageError} if a path does not exist. */
export function listInputs(paths: readonly string[], reportProblem: ReportProblem, settings: ReadingSettings): NamedFile[] {
  const files = new Map<string, NamedFile>();
  for (const file of paths.flatMap((path) => namesOf(path, settings, reportProblem))) {
    const key = file.name === '-' || isAddress(file.name) ? file.name : identityOf(file.name);
    if (!files.has(key)) files.set(key, file);
  }
  return [...files.values()];
}

/**
 * Reads files. A file that was found in a folder and contains no objects is not returned, but recorded in `others`. Throws {@link
 * UsageError} if the files are larger together than {@link FILE_LIMITS.together}.
 */
export async function readListed(files: readonly NamedFile[], others: OtherFiles, reportProblem: ReportProblem): Promise<InputFile[]> {
  const inputs: InputFile[] = [];
  let bytesLeft: number = FILE_LIMITS.together;
  for (const file of files) {
    const { name, named } = file;
    const input = await readInput(file, named ? refuse : reportProblem);
    if (input === undefined) continue;
    bytesLeft -= input.bytes.length;
    if (bytesLeft < 0) throw new UsageError(`${name}: it and the files before it are larger than ${sizeInWords(FILE_LIMITS.together)}`);
    const other = named ? undefined : otherFile(name, input.bytes);
    if (other === undefined) inputs.push(input);
    else others.note(other, name);
  }
  return inputs;
}

/** Files that were left out because they contain no objects. */
export class OtherFiles {
  readonly #names = new Map<OtherFile, string[]>();

  note(kind: OtherFile, name: string): void {
    this.#names.set(kind, [...(this.#names.get(kind) ?? []), name]);
  }

  /** Reports all files that were left out. */
  report(): void {
    for (const [kind, names] of this.#names) {
      const use = kind === 'suite of tests' ? 'for `assay test` to run' : `${kind}, no objects until it is rendered`;
      reportOnStderr(`left out, ${use}: ${shownFew(names)}`);
    }
  }
}

/**
 * File to be read, with the right to read it. `named` is true if the command line or the settings file names it, and false if it was found
 * in a folder.
 */
export interface NamedFile {
  readonly name: string;
  readonly named: boolean;
  readonly access: FileAccess;
}

function namesOf(path: string, settings: ReadingSettings, reportProblem: ReportProblem): NamedFile[] {
  const { ignore, offline, access } = settings;
  if (isAddress(path)) {
    if (offline) throw new UsageError(`${path}: not fetched because of --offline`);
    return [{ name: path, named: true, access }];
  }
  return matchesOf(path, access, reportProblem).flatMap((match): NamedFile[] => {
    if (match === '-' || !isFolder(match)) return [{ name: match, named: true, access }];
    if (!access.reaches(match)) throw new UsageError(`${match}: ${OUTSIDE_UNLESS_NAMED}`);
    const ignored = ignore ? new IgnoredFiles(match, access, reportProblem) : undefined;
    const found = filesBelow(match, { wanted: isDocumentFile, reportProblem, access, ignored });
    if (ignored && ignored.leftOut.length > 0)
      reportOnStderr(`left out by .gitignore (--no-ignore reads it): ${shownFew(ignored.leftOut)}`);
    return found.files.map((name) => ({ name, named: false, access: found.access }));
  });
}

/**
 * Returns the files that match a glob pattern, such as all `*.yaml` files of a folder, in name order. Returns a path without a pattern
 * unchanged. Reports matches that lead out of the repository. Throws {@link UsageError} if no file matches.
 */
function matchesOf(path: string, access: FileAccess, reportProblem: ReportProblem): readonly string[] {
  if (!isGlob(path) || isThere(path)) return [path];
  const { files, outside } = matchesOrRefuse(path, access);
  for (const one of outside) reportProblem(`${path}: ${one} ${OUTSIDE_UNLESS_NAMED}`);
  if (files.length === 0) throw new UsageError(`${path}: no file matches`);
  return files;
}

function matchesOrRefuse(path: string, access: FileAccess): GlobMatches {
  try {
    return glob(path, access);
  } catch (error) {
    throw error instanceof FileProblem ? new UsageError(`${path}: ${error.message}`) : error;
  }
}

function refuse(problem: string): never {
  throw new UsageError(problem);
}

async function readInput({ name, access }: NamedFile, reportProblem: ReportProblem): Promise<InputFile | undefined> {
  if (isAddress(name)) return { name, bytes: await fetchInput(name) };
  const isStdin = name === '-';
  const read: FileReading<Buffer> = isStdin
    ? await wholeStream(process.stdin, FILE_LIMITS.documents)
    : await access.readAny(name, FILE_LIMITS.documents);
  if (read.ok) return { name: isStdin ? 'stdin' : name, bytes: read.content };
  reportProblem(`${isStdin ? 'standard input' : name}: ${read.problem}`);
  return undefined;
}

/** Maximum number of names that a message lists. */
const FEW = 5;

function shownFew(names: readonly string[]): string {
  const more = names.length - FEW;
  return `${names.slice(0, FEW).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Kind of a file that contains no objects, in words for messages. */
type OtherFile = 'suite of tests' | 'input of kustomize' | 'part of a Helm chart' | 'template';

const KUSTOMIZATION = /^kustomization\.ya?ml$/;
/**
 * Pattern of an `apiVersion` that does not belong to kustomize. Another tool, such as Flux, may use a file with the name of a
 * kustomization.
 */
const OTHER_API_VERSION = /^apiVersion:\s*["']?(?!kustomize\.config\.k8s\.io)\S/m;
const CHART_FILE = /^(Chart\.ya?ml|values.*\.ya?ml|values\.schema\.json)$/;
/**
 * Pattern of the names of values files. A values file may belong to a chart in a different folder. A file with a `kind` or `apiVersion` is
 * not a values file.
 */
const VALUES_FILE = /^values.*\.ya?ml$/;
const KIND = /^(\{\s*)?["']?(apiVersion|kind)["']?\s*:/m;
/**
 * Pattern of a line that begins with a template expression. The YAML of an object has no such line, because inside a text the line would be
 * indented.
 */
const TEMPLATE_LINE = /^\{\{/m;

/**
 * Returns the kind of a file that the command skips because the file contains no objects, for example a part of a Helm chart. Returns
 * undefined if the command must evaluate the documents of the file.
 */
function otherFile(file: string, bytes: Buffer): OtherFile | undefined {
  const name = basename(file);
  if (isSuite(file, bytes)) return 'suite of tests';
  if (KUSTOMIZATION.test(name) && !OTHER_API_VERSION.test(bytes.toString('utf8'))) return 'input of kustomize';
  if (CHART_FILE.test(name) && isChart(dirname(file))) return 'part of a Helm chart';
  if (VALUES_FILE.test(name) && !KIND.test(bytes.toString('utf8'))) return 'part of a Helm chart';
  if (!bytes.includes('{{')) return undefined;
  return isBelowTemplates(file) || TEMPLATE_LINE.test(bytes.toString('utf8')) ? 'template' : undefined;
}

const isChart = (folder: string): boolean => isThere(join(folder, 'Chart.yaml'));

function isBelowTemplates(file: string): boolean {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder))
    if (basename(folder) === 'templates' && isChart(dirname(folder))) return true;
  return false;
}
