import { editsBetween, utf8Length } from '#go';

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
const MAX_COMPARED = 64 * 64;
/** Number of names that an error suggests at most. */
const SUGGESTED = 2;

/**
 * All names that an environment declares, in which errors about an unknown name look for similar names. Source: cel-go
 * common/env/catalog.go, cel/env.go `initChecker` (v0.33.2).
 */
export class SymbolCatalog {
  readonly #symbols: readonly CatalogSymbol[];
  readonly #found = new Map<string, readonly string[]>();

  /** @param names Names of variables, functions and macros. The catalog adds the names of the standard types, and old names. */
  constructor(names: Iterable<string>) {
    const all = new Set([...names, ...STANDARD_TYPES, ...OLD_NAMES]);
    this.#symbols = [...all].map((name) => ({ name, letters: [...name], isDotted: name.includes('.') }));
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
    if (this.#symbols.some((one) => one.name === name)) return [name];
    const isDotted = name.includes('.');
    const candidates = this.#symbols.filter((one) => one.isDotted === isDotted);
    const similar = mostSimilar(name, candidates);
    if (similar.length > 0) return shortest(similar);
    return utf8Length(name) < 2 ? [] : shortest(candidates.map((one) => one.name).filter((one) => one.startsWith(name)));
  }
}

/** A declared name, with its letters as code points. */
interface CatalogSymbol {
  readonly name: string;
  readonly letters: readonly string[];
  readonly isDotted: boolean;
}

/** Returns the candidates with the fewest edits, if these are few enough for the length of `name`. */
function mostSimilar(name: string, candidates: readonly CatalogSymbol[]): string[] {
  const length = utf8Length(name);
  const most = length <= 3 ? 1 : length <= 8 ? 2 : Math.floor(length / 3);
  const letters = [...name];
  let [nearest, fewest]: [string[], number] = [[], most];
  for (const candidate of candidates) {
    // The edit distance is never less than the difference of the lengths.
    if (Math.abs(candidate.letters.length - letters.length) > fewest) continue;
    const edits = distance(letters, candidate.letters, fewest);
    if (edits < fewest) [nearest, fewest] = [[candidate.name], edits];
    else if (edits === fewest) nearest.push(candidate.name);
  }
  return nearest;
}

/**
 * Returns the number of edits between two names, given as code points. For names of very different lengths, the result is the difference of
 * the lengths. The result is Infinity if all beginnings of the names differ too much, or if more than `most` edits are needed. Source:
 * catalog.go `EditDistance` (v0.33.2).
 */
function distance(one: readonly string[], other: readonly string[], most: number): number {
  const [a, b] = [one.length, other.length];
  if (a === 0 || b === 0) return a + b;
  if (a >= 16 && a * 2 >= b * 3) return a - b;
  if (b >= 16 && b * 2 >= a * 3) return b - a;
  return a * b > MAX_COMPARED ? Infinity : editsBetween(one, other, Math.min(most, Math.floor(Math.max(a, b) / 3)));
}

function shortest(names: readonly string[]): readonly string[] {
  return names.toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1)).slice(0, SUGGESTED);
}
