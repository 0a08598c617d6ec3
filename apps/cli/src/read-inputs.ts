import { createReadStream, readFileSync, realpathSync, statSync } from 'node:fs';
import { extname } from 'node:path';
import { filesBelow, isFolder, reasonOf } from './find-files.ts';
import type { TellProblem } from './find-files.ts';
import { tellOnStderr } from './print.ts';
import { isSuite } from './suite/recognize-suite.ts';
import { UsageError } from './usage.ts';

/** Names of files that are read of a folder end so. */
export const DOCUMENT_EXTENSIONS: ReadonlySet<string> = new Set(['.yaml', '.yml', '.json', '.ndjson', '.jsonl']);

/** One input: its name as shown to the user, and its bytes. */
export interface InputFile {
  readonly name: string;
  readonly bytes: Buffer;
}

/**
 * Reads files, folders (recursively, in name order) and standard input, each file once. Throws {@link UsageError} for a path that is not there;
 * files of a folder that cannot be read are told, and the others are read. Suites in a folder are left out, which is said and is no problem.
 */
export async function readInputs(paths: readonly string[], tell: TellProblem): Promise<InputFile[]> {
  const inputs: InputFile[] = [];
  const seen = new Set<string>();
  const suites: string[] = [];
  for (const path of paths) {
    const names = path === '-' || !isFolder(path) ? [path] : filesBelow(path, (file) => DOCUMENT_EXTENSIONS.has(extname(file)), tell);
    for (const name of names) {
      const key = name === '-' ? '-' : realpathSync(name);
      if (seen.has(key)) continue;
      seen.add(key);
      const input = await readInput(name, path === name ? refuse : tell);
      if (input && path !== name && isSuite(name, input.bytes)) suites.push(name);
      else if (input) inputs.push(input);
    }
  }
  if (suites.length > 0) tellOnStderr(`left out, for \`assay test\` to run: ${shownFew(suites)}`);
  return inputs;
}

function refuse(problem: string): never {
  throw new UsageError(problem);
}

async function readInput(name: string, tell: TellProblem): Promise<InputFile | undefined> {
  try {
    if (name === '-') return { name: 'stdin', bytes: await wholeStream(process.stdin) };
    // A pipe has no size, and its writer may be slow: `assay evaluate -f <(helm template …)`.
    return { name, bytes: statSync(name).isFile() ? readFileSync(name) : await wholeStream(createReadStream(name)) };
  } catch (error) {
    tell(`${name === '-' ? 'standard input' : name}: ${reasonOf(error)}`);
    return undefined;
  }
}

async function wholeStream(stream: AsyncIterable<unknown>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

/** So many names are told. */
const FEW = 5;

function shownFew(names: readonly string[]): string {
  const more = names.length - FEW;
  return `${names.slice(0, FEW).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
