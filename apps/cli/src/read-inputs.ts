import fs, { createReadStream, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { filesBelow, isFolder, reasonOf, SETTINGS_FILE } from './find-files.ts';
import type { ReportProblem } from './find-files.ts';
import { fetchInput, isAddress } from './fetch-input.ts';
import { IgnoredFiles } from './ignored-files.ts';
import { otherFile } from './passed-over.ts';
import type { OtherFile } from './passed-over.ts';
import { reportOnStderr } from './print.ts';
import { UsageError } from './usage.ts';

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
}

const USUAL: ReadingSettings = { ignore: true, offline: false };

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
    const key = file.name === '-' || isAddress(file.name) ? file.name : realpathSync(file.name);
    if (!files.has(key)) files.set(key, file);
  }
  return [...files.values()];
}

/** Reads files. A file that was found in a folder and contains no objects is not returned, but recorded in `others`. */
export async function readListed(files: readonly NamedFile[], others: OtherFiles, reportProblem: ReportProblem): Promise<InputFile[]> {
  const inputs: InputFile[] = [];
  for (const { name, named } of files) {
    const input = await readInput(name, named ? refuse : reportProblem);
    if (input === undefined) continue;
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

/** File to be read. `named` is true if the user named it, and false if it was found in a folder. */
export interface NamedFile {
  readonly name: string;
  readonly named: boolean;
}

function namesOf(path: string, { ignore, offline }: ReadingSettings, reportProblem: ReportProblem): NamedFile[] {
  if (isAddress(path)) {
    if (offline) throw new UsageError(`${path}: is not fetched, as --offline asks`);
    return [{ name: path, named: true }];
  }
  return matchesOf(path).flatMap((match): NamedFile[] => {
    if (match === '-' || !isFolder(match)) return [{ name: match, named: true }];
    const ignored = ignore ? new IgnoredFiles(match) : undefined;
    const files = filesBelow(match, isDocumentFile, reportProblem, ignored);
    if (ignored && ignored.leftOut.length > 0)
      reportOnStderr(`left out by .gitignore (--no-ignore reads it): ${shownFew(ignored.leftOut)}`);
    return files.map((name) => ({ name, named: false }));
  });
}

/**
 * Returns the files that match a glob pattern, such as all `*.yaml` files of a folder, in name order. Returns a path without a pattern
 * unchanged. Throws {@link UsageError} if no file matches.
 */
function matchesOf(path: string): readonly string[] {
  if (!/[*?[{]/.test(path) || fs.existsSync(path)) return [path];
  // Node has it from version 22 on.
  const glob = fs.globSync as typeof fs.globSync | undefined;
  if (glob === undefined) throw new UsageError(`${path}: patterns need Node 22 or newer, or a shell that expands them`);
  const matches = glob(path).toSorted();
  if (matches.length === 0) throw new UsageError(`${path}: no file matches`);
  return matches;
}

function refuse(problem: string): never {
  throw new UsageError(problem);
}

async function readInput(name: string, reportProblem: ReportProblem): Promise<InputFile | undefined> {
  try {
    if (name === '-') return { name: 'stdin', bytes: await wholeStream(process.stdin) };
    if (isAddress(name)) return { name, bytes: await fetchInput(name) };
    // A pipe has no size, and its writer may be slow: `assay evaluate -f <(helm template …)`.
    return { name, bytes: statSync(name).isFile() ? readFileSync(name) : await wholeStream(createReadStream(name)) };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    reportProblem(`${name === '-' ? 'standard input' : name}: ${reasonOf(error)}`);
    return undefined;
  }
}

async function wholeStream(stream: AsyncIterable<unknown>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

/** Maximum number of names that a message lists. */
const FEW = 5;

function shownFew(names: readonly string[]): string {
  const more = names.length - FEW;
  return `${names.slice(0, FEW).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
