import { lstatSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { join } from 'node:path';
import { statsOf } from './file-access.ts';
import type { FileAccess } from './file-access.ts';
import { FileProblem } from './file-problem.ts';
import { isGitFolder } from './repository.ts';
import { isWildcard, Wildcard } from './wildcard.ts';

/** Limits of one glob pattern: its length in UTF-16 code units, the patterns for which its braces stand, and the folders it looks into. */
const LIMITS = { length: 4096, patterns: 1000, folders: 100_000 } as const;

/** Result of expanding a glob pattern. `outside` lists the paths that match, but that lead out of the repository. */
export interface GlobMatches {
  readonly files: readonly string[];
  readonly outside: readonly string[];
}

/** Returns true if a path is a glob pattern: it contains `*`, `?`, `[` or `{`. */
export const isGlob = (path: string): boolean => /[*?[{]/.test(path);

/**
 * Returns the files and folders that match a glob pattern, in name order: `*`, `?`, `[a-z]`, `**` for any number of folders, and `{a,b}` or
 * `{1..9}`. Names that begin with a dot must be matched by a dot, and `**` follows no links. Nothing is listed that `access` does not
 * reach. Throws {@link FileProblem} if the pattern exceeds a limit, and `TimedOut` if the timeout is over.
 */
export function glob(pattern: string, access: FileAccess): GlobMatches {
  if (pattern.length > LIMITS.length) throw new FileProblem(`the pattern is longer than ${LIMITS.length} characters`);
  const search = new GlobSearch(access);
  for (const one of expandBraces(pattern, LIMITS.patterns)) search.find(one);
  return { files: [...search.files].sort(), outside: [...search.outside].sort() };
}

type Segment = string | Wildcard;

class GlobSearch {
  readonly files = new Set<string>();
  readonly outside = new Set<string>();
  readonly #access: FileAccess;
  #folders = 0;

  constructor(access: FileAccess) {
    this.#access = access;
  }

  find(pattern: string): void {
    const names = pattern.split('/').filter((name, i, all) => name !== '' && name !== '.' && !(name === '**' && all[i - 1] === '**'));
    const segments = names.map((name): Segment => (name !== '**' && isWildcard(name) ? new Wildcard(name) : name));
    const dots = names.map((name) => name.startsWith('.') || name.startsWith('\\.'));
    this.#enter(pattern.startsWith('/') ? '/' : '', segments, dots, new Set());
  }

  /** Adds the paths below a folder that match the remaining segments. `seen` has the folders and segments that were tried. */
  #enter(folder: string, [segment, ...rest]: readonly Segment[], [isDotted, ...dots]: readonly boolean[], seen: Set<string>): void {
    const key = `${rest.length} ${folder}`;
    if (seen.has(key)) return;
    seen.add(key);
    this.#access.poll();
    if (segment === undefined) {
      this.#add(folder);
    } else if (segment === '**') {
      this.#enter(folder, rest, dots, seen);
      for (const name of this.#names(folder))
        if (!name.startsWith('.')) {
          const path = join(folder, name);
          if (whatIsAt(path)?.isDirectory() === true) this.#enter(path, [segment, ...rest], [false, ...dots], seen);
          else if (rest.length === 0) this.#add(path);
        }
    } else if (typeof segment === 'string') this.#enter(join(folder, segment), rest, dots, seen);
    else
      for (const name of this.#names(folder))
        if ((isDotted === true || !name.startsWith('.')) && segment.matches(name)) this.#enter(join(folder, name), rest, dots, seen);
  }

  #add(path: string): void {
    if (path === '' || whatIsAt(path) === undefined) return;
    if (this.#access.reaches(path)) this.files.add(path);
    else this.outside.add(path);
  }

  #names(folder: string): readonly string[] {
    const path = folder === '' ? '.' : folder;
    const stats = statsOf(path);
    if (!stats.ok || !stats.content.isDirectory()) return [];
    if (!this.#access.reaches(path)) {
      this.outside.add(path);
      return [];
    }
    if (++this.#folders > LIMITS.folders) throw new FileProblem(`the pattern looks into more than ${LIMITS.folders} folders`);
    const names = this.#access.names(path);
    return names.ok ? names.content.filter((name) => !isGitFolder(name)) : [];
  }
}

/** Returns what is at a path, without following a link at its end. Undefined if nothing can be found there. */
function whatIsAt(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}

/**
 * Returns the patterns for which a pattern with braces stands, as in bash: `{a,b}` for each alternative, and `{1..9}` or `{a..e}` for each
 * element of the range. All other braces remain in the pattern. Throws {@link FileProblem} if there are more than `most` patterns.
 */
export function expandBraces(pattern: string, most: number): readonly string[] {
  let expanded: readonly string[] = [''];
  let at = 0;
  for (const { start, end } of outermostBraces(pattern)) {
    const before = pattern.slice(at, start);
    const alternatives = alternativesOf(pattern.slice(start + 1, end), most);
    checkCount(expanded.length * alternatives.length, most);
    expanded = expanded.flatMap((one) => alternatives.map((alternative) => `${one}${before}${alternative}`));
    at = end + 1;
  }
  return expanded.map((one) => `${one}${pattern.slice(at)}`);
}

function checkCount(count: number, most: number): void {
  if (count > most) throw new FileProblem(`the pattern stands for more than ${most} patterns`);
}

/** Yields the places of the outermost pairs of braces. */
function* outermostBraces(pattern: string): Generator<{ readonly start: number; readonly end: number }> {
  for (let start = 0; start < pattern.length; start++) {
    if (pattern[start] === '\\') start++;
    else if (pattern[start] === '{') {
      const end = closingBrace(pattern, start);
      if (end === undefined) continue;
      yield { start, end };
      start = end;
    }
  }
}

function closingBrace(pattern: string, start: number): number | undefined {
  let depth = 0;
  for (let i = start; i < pattern.length; i++) {
    if (pattern[i] === '\\') i++;
    else if (pattern[i] === '{') depth++;
    else if (pattern[i] === '}' && --depth === 0) return i;
  }
  return undefined;
}

/** Returns the texts for which the inside of a pair of braces stands. */
function alternativesOf(inside: string, most: number): readonly string[] {
  const parts = splitAtCommas(inside);
  if (parts.length === 1) return rangeOf(inside, most) ?? expandBraces(inside, most).map((one) => `{${one}}`);
  const alternatives = parts.flatMap((part) => expandBraces(part, most));
  checkCount(alternatives.length, most);
  return alternatives;
}

function splitAtCommas(inside: string): string[] {
  const parts = [''];
  let depth = 0;
  for (let i = 0; i < inside.length; i++) {
    const character = inside.charAt(i);
    if (character === '{') depth++;
    if (character === '}') depth--;
    if (character === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += character === '\\' ? character + inside.charAt(++i) : character;
  }
  return parts;
}

const RANGE = /^(?:(-?\d{1,15})\.\.(-?\d{1,15})|([A-Za-z])\.\.([A-Za-z]))$/;

/** Returns the elements of a range such as `1..9`, `08..12` or `a..e`. Undefined if the text is no range. */
function rangeOf(inside: string, most: number): readonly string[] | undefined {
  const [match, from = '', to = '', first = '', last = ''] = RANGE.exec(inside) ?? [];
  if (match === undefined) return undefined;
  const [start, end] = first === '' ? [Number(from), Number(to)] : [first.charCodeAt(0), last.charCodeAt(0)];
  const step = start <= end ? 1 : -1;
  checkCount(Math.abs(end - start) + 1, most);
  const width = /^-?0\d|\.\.-?0\d/.test(inside) ? Math.max(from.length, to.length) : 0;
  return Array.from({ length: Math.abs(end - start) + 1 }, (_, i) => {
    const element = start + i * step;
    return first === '' ? String(element).padStart(width, '0') : String.fromCharCode(element);
  });
}
