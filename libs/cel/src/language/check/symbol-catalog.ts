import { utf8Length } from '#go';
import { editsBetween } from '../nearest-name.ts';

/** Names of the types that the standard library declares. Source: cel-go common/stdlib/standard.go `stdTypes` (v0.33.2). */
const STANDARD_TYPES: readonly string[] = [
  'bool',
  'bytes',
  'double',
  'google.protobuf.Duration',
  'google.protobuf.Timestamp',
  'int',
  'list',
  'map',
  'null_type',
  'string',
  'type',
  'uint',
];

/** Functions under old names, which no expression can call but which the standard library still contains. Source: common/stdlib/standard.go. */
const OLD_NAMES: readonly string[] = ['in', '_in_', '__not_strictly_false__'];

/** Product of two lengths in code points, above which names are not compared. */
const MOST_COMPARED = 64 * 64;
/** Number of names that an error suggests at most. */
const SUGGESTED = 2;

/**
 * All names that an environment declares, in which errors about an unknown name look for similar names. Source: cel-go
 * common/env/catalog.go, cel/env.go `initChecker` (v0.33.2).
 */
export class SymbolCatalog {
  readonly #names: readonly string[];
  readonly #found = new Map<string, readonly string[]>();

  /** @param names Names of variables, functions and macros. The catalog adds the names of the standard types, and old names. */
  constructor(names: Iterable<string>) {
    this.#names = [...new Set([...names, ...STANDARD_TYPES, ...OLD_NAMES])];
  }

  /**
   * Returns the known names that are most similar to `name`, at most two. If `name` is known, returns only `name`. Only names with a dot
   * are similar to a name with a dot. If no name is similar, returns names that begin with `name`.
   */
  find(name: string): readonly string[] {
    const known = this.#found.get(name);
    if (known !== undefined) return known;
    const found = this.#search(name);
    this.#found.set(name, found);
    return found;
  }

  #search(name: string): readonly string[] {
    if (name === '') return [];
    if (this.#names.includes(name)) return [name];
    const isDotted = name.includes('.');
    const candidates = this.#names.filter((one) => one.includes('.') === isDotted);
    const similar = mostSimilar(name, candidates);
    if (similar.length > 0) return shortest(similar);
    return utf8Length(name) < 2 ? [] : shortest(candidates.filter((one) => one.startsWith(name)));
  }
}

/** Returns the candidates with the fewest edits, if these are few enough for the length of `name`. */
function mostSimilar(name: string, candidates: readonly string[]): string[] {
  const length = utf8Length(name);
  const most = length <= 3 ? 1 : length <= 8 ? 2 : Math.floor(length / 3);
  const letters = [...name];
  let [nearest, fewest]: [string[], number] = [[], most];
  for (const candidate of candidates) {
    const edits = distance(letters, [...candidate]);
    if (edits < fewest) [nearest, fewest] = [[candidate], edits];
    else if (edits === fewest) nearest.push(candidate);
  }
  return nearest;
}

/**
 * Returns the number of edits between two names, given as code points. For names of very different lengths, the result is the difference of
 * the lengths. The result is Infinity if all beginnings of the names differ too much. Source: catalog.go `EditDistance` (v0.33.2).
 */
function distance(one: readonly string[], other: readonly string[]): number {
  const [a, b] = [one.length, other.length];
  if (a === 0 || b === 0) return a + b;
  if (a >= 16 && a * 2 >= b * 3) return a - b;
  if (b >= 16 && b * 2 >= a * 3) return b - a;
  return a * b > MOST_COMPARED ? Infinity : editsBetween(one, other, Math.floor(Math.max(a, b) / 3));
}

function shortest(names: readonly string[]): readonly string[] {
  return names.toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1)).slice(0, SUGGESTED);
}
