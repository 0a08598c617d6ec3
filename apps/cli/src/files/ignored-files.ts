import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { isThere } from './file-access.ts';
import type { FileAccess } from './file-access.ts';
import { FILE_LIMITS } from './file-problem.ts';
import { Repository } from './repository.ts';
import { matchesParts, Wildcard } from './wildcard.ts';

/** Pattern of the names of folders that are not reported when they are ignored: `node_modules`, and names that begin with a dot. */
const NEVER_REPORTED = /^(node_modules|\..*)$/;

/** Patterns of one `.gitignore` file, with the folder to which they are relative. */
interface FolderPatterns {
  readonly folder: string;
  readonly patterns: IgnorePatterns;
}

/**
 * Files that `.gitignore` files exclude. The `.gitignore` files in the folder, below it, and above it up to the root of its git repository
 * are used. If several patterns match a path, the pattern from the nearest `.gitignore` file decides, as in git. A folder that the user
 * names is read even if it is ignored.
 */
export class IgnoredFiles {
  /** Files and folders that were left out. Folders in which nobody expects objects, such as `node_modules`, are not listed. */
  readonly leftOut: string[] = [];
  readonly #above: readonly FolderPatterns[];
  readonly #below = new Map<string, FolderPatterns | undefined>();
  readonly #root: string;
  readonly #access: FileAccess;
  readonly #reportProblem: (problem: string) => void;

  /**
   * Reads the patterns that apply to a folder. Throws if the folder does not exist.
   *
   * @param folder folder that is read
   * @param reportProblem receives a sentence about each `.gitignore` file that cannot be used
   */
  constructor(folder: string, access: FileAccess, reportProblem: (problem: string) => void) {
    this.#root = resolve(folder);
    this.#access = access.inside(access.repository ?? Repository.of(folder));
    this.#reportProblem = reportProblem;
    const above = foldersUpToRepository(this.#root).flatMap((one) => this.#patternsOf(one) ?? []);
    const isNamedInIgnored = above.some(({ folder: top }) => this.#stepsFrom(top).some((step) => this.#isIgnoredBy(above, step, 'folder')));
    this.#above = isNamedInIgnored ? [] : above;
  }

  /**
   * Returns true if a path below the folder is ignored, and records it in `leftOut`, except folders such as `node_modules`. The caller must
   * skip ignored folders, because this method does not check if a parent folder is ignored.
   */
  leaves(path: string, isFolder: boolean): boolean {
    const ignored = this.#has(path, isFolder);
    if (ignored && !(isFolder && NEVER_REPORTED.test(basename(path)))) this.leftOut.push(path);
    return ignored;
  }

  #has(path: string, isFolder: boolean): boolean {
    const absolute = resolve(path);
    const nearestFirst: FolderPatterns[] = [];
    for (let folder = dirname(absolute); folder.startsWith(this.#root); folder = dirname(folder)) {
      if (!this.#below.has(folder)) this.#below.set(folder, this.#patternsOf(folder));
      const patterns = this.#below.get(folder);
      if (patterns) nearestFirst.push(patterns);
      if (folder === dirname(folder)) break;
    }
    return this.#isIgnoredBy([...nearestFirst, ...this.#above], absolute, isFolder ? 'folder' : 'file');
  }

  /** Returns the folder that is read, and its ancestors below `top`. */
  #stepsFrom(top: string): string[] {
    const steps: string[] = [];
    for (let step = this.#root; step !== top && step !== dirname(step); step = dirname(step)) steps.push(step);
    return steps;
  }

  #patternsOf(folder: string): FolderPatterns | undefined {
    const file = join(folder, '.gitignore');
    if (!isThere(file)) return undefined;
    const read = this.#access.read(file, FILE_LIMITS.ignore);
    if (read.ok) return { folder, patterns: new IgnorePatterns(read.content.toString('utf8')) };
    this.#reportProblem(`${file}: ${read.problem}`);
    return undefined;
  }

  #isIgnoredBy(nearestFirst: readonly FolderPatterns[], path: string, kind: 'file' | 'folder'): boolean {
    for (const { folder, patterns } of nearestFirst) {
      const within = relative(folder, path).split(sep);
      const ignored = patterns.decide(within, kind === 'folder', () => this.#access.poll());
      if (ignored !== undefined) return ignored;
    }
    return false;
  }
}

/**
 * Returns the ancestors of a folder, up to the root of its git repository. Returns an empty list if the folder is not in a repository, or
 * is the root itself.
 */
function foldersUpToRepository(folder: string): string[] {
  if (isThere(join(folder, '.git'))) return [];
  const above: string[] = [];
  for (let one = dirname(folder); ; one = dirname(one)) {
    above.push(one);
    if (isThere(join(one, '.git'))) return above;
    if (one === dirname(one)) return [];
  }
}

/** Part of a pattern between two slashes: `**` for any number of folders, or a pattern for one name. */
type Segment = '**' | Wildcard;

interface IgnorePattern {
  readonly segments: readonly Segment[];
  /** True if the pattern only matches folders: it ends with a slash. */
  readonly isForFolders: boolean;
  /** True if the pattern takes back what an earlier pattern ignores: it begins with `!`. */
  readonly isNegated: boolean;
}

/** Number of patterns that are tried between two polls of the timeout. */
const POLL_EVERY = 1000;

/** Patterns of a `.gitignore` file. Source: gitignore(5) and git's dir.c and wildmatch.c (2.50). */
export class IgnorePatterns {
  readonly #patterns: readonly IgnorePattern[];

  /** Parses the text of a `.gitignore` file. */
  constructor(text: string) {
    this.#patterns = text
      .replace(/^\uFEFF/, '')
      .split('\n')
      .flatMap(patternOf);
  }

  /**
   * Returns true if a path is ignored, false if a pattern takes it back, and undefined if no pattern matches it. The last pattern that
   * matches decides. Does not check if a parent folder is ignored.
   *
   * @param path names of the path's parts, relative to the folder of the `.gitignore` file
   * @param poll called regularly; may throw to end the search
   */
  decide(path: readonly string[], isFolder: boolean, poll: () => void): boolean | undefined {
    for (let i = this.#patterns.length - 1; i >= 0; i--) {
      if (i % POLL_EVERY === 0) poll();
      const pattern = this.#patterns[i];
      if (pattern !== undefined && (isFolder || !pattern.isForFolders) && matches(pattern.segments, path)) return !pattern.isNegated;
    }
    return undefined;
  }
}

function matches(segments: readonly Segment[], path: readonly string[]): boolean {
  return matchesParts(
    segments,
    path.length,
    (segment) => segment === '**',
    (segment, at) => segment !== '**' && segment.matches(path[at] ?? ''),
  );
}

/** File systems of these systems ignore the case of letters, and git's setting `core.ignoreCase` says so there. */
const IS_CASE_SENSITIVE = process.platform !== 'darwin' && process.platform !== 'win32';

/** Parses a line. Returns an empty list for an empty line or a comment. */
function patternOf(line: string): IgnorePattern[] {
  const written = withoutTrailingSpaces(line.replace(/\r$/, ''));
  if (written === '' || written.startsWith('#')) return [];
  const isNegated = written.startsWith('!');
  const positive = isNegated ? written.slice(1) : written;
  const isForFolders = positive.endsWith('/');
  const pattern = isForFolders ? positive.slice(0, -1) : positive;
  if (pattern === '') return [];
  const parts = pattern.replace(/^\//, '').split('/');
  const isAnchored = pattern.includes('/');
  const segments = parts.map((part): Segment => (isAnchored && /^\*{2,}$/.test(part) ? '**' : new Wildcard(part, IS_CASE_SENSITIVE)));
  // At the end of a pattern, `**` matches the content of a folder, but not the folder itself.
  if (segments.at(-1) === '**') segments.push(new Wildcard('*'));
  return [{ segments: isAnchored ? segments : ['**', ...segments], isForFolders, isNegated }];
}

/** Returns a line without the spaces at its end, except a space after a `\`. */
function withoutTrailingSpaces(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === ' ') end--;
  const backslashes = /\\*$/.exec(line.slice(0, end))?.[0].length ?? 0;
  return line.slice(0, end < line.length && backslashes % 2 === 1 ? end + 1 : end);
}
