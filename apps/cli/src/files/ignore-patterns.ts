import { matchesInTurn, Wildcard } from './wildcard.ts';

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
  return matchesInTurn(
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
  // At the end, it matches what is inside of a folder, but not the folder.
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
