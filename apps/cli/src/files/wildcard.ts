/**
 * Set of characters at one position of a pattern: `*` for any number of any characters, a predicate for one character, or the character
 * itself.
 */
type Atom = '*' | { readonly fits: (character: string) => boolean };

/**
 * Pattern for one name, without slashes: `*`, `?`, `[a-z]`, `[!a-z]`, `[[:alpha:]]` and `\` before a literal character. It is not a regular
 * expression: a match takes at most as many steps as the lengths of pattern and name multiplied. Source: git's wildmatch.c (2.50), which
 * matches bytes where this class matches UTF-16 code units.
 */
export class Wildcard {
  readonly #atoms: readonly Atom[] | undefined;
  readonly #isCaseSensitive: boolean;

  /** Parses a pattern. A pattern with an unclosed bracket or a `\` at its end matches no name. */
  constructor(pattern: string, isCaseSensitive = true) {
    this.#isCaseSensitive = isCaseSensitive;
    this.#atoms = atomsOf(isCaseSensitive ? pattern : pattern.toLowerCase());
  }

  /** Returns true if the pattern matches the whole name. */
  matches(name: string): boolean {
    const text = this.#isCaseSensitive ? name : name.toLowerCase();
    const fits = (atom: Atom, at: number): boolean => atom !== '*' && at < text.length && atom.fits(text.charAt(at));
    return this.#atoms !== undefined && matchesParts(this.#atoms, text.length, (atom) => atom === '*', fits);
  }
}

/**
 * Returns true if a list of parts matches a text of `length` elements from its start to its end. Each part matches one element, or any
 * number of elements if `isMany` returns true for it. Only the last such part is ever tried again, so the number of steps is at most the
 * product of both lengths.
 */
export function matchesParts<Part>(
  parts: readonly Part[],
  length: number,
  isMany: (part: Part) => boolean,
  fits: (part: Part, at: number) => boolean,
): boolean {
  let [part, at, many, tried] = [0, 0, -1, 0];
  while (at < length) {
    const current = parts[part];
    if (current !== undefined && isMany(current)) {
      many = part++;
      tried = at;
    } else if (current !== undefined && fits(current, at)) {
      part++;
      at++;
    } else if (many === -1) return false;
    else {
      part = many + 1;
      at = ++tried;
    }
  }
  return parts.slice(part).every(isMany);
}

/** Returns true if a pattern contains a character that has a meaning in patterns. */
export const isWildcard = (pattern: string): boolean => /[*?[\\]/.test(pattern);

function atomsOf(pattern: string): readonly Atom[] | undefined {
  const atoms: Atom[] = [];
  for (let i = 0; i < pattern.length; i++) {
    const character = pattern.charAt(i);
    if (character === '*') {
      if (atoms.at(-1) !== '*') atoms.push('*');
    } else if (character === '?') atoms.push({ fits: () => true });
    else if (character === '[') {
      const read = bracketAt(pattern, i + 1);
      if (read === undefined) return undefined;
      atoms.push({ fits: read.fits });
      i = read.end;
    } else {
      if (character === '\\' && ++i === pattern.length) return undefined;
      const literal = pattern.charAt(i);
      atoms.push({ fits: (one) => one === literal });
    }
  }
  return atoms;
}

/** Predicates of the classes of characters that POSIX names, for ASCII. */
const CLASSES: Readonly<Record<string, RegExp>> = {
  alnum: /[A-Za-z0-9]/,
  alpha: /[A-Za-z]/,
  blank: /[ \t]/,
  cntrl: /[\0-\x1f\x7f]/,
  digit: /[0-9]/,
  graph: /[!-~]/,
  lower: /[a-z]/,
  print: /[ -~]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /[\t-\r ]/,
  upper: /[A-Z]/,
  xdigit: /[A-Fa-f0-9]/,
};

/** Reads a bracket expression, beginning after its `[`. Returns its predicate and the index of its `]`; undefined if it is not valid. */
function bracketAt(pattern: string, start: number): { readonly fits: (character: string) => boolean; readonly end: number } | undefined {
  const isNegated = pattern[start] === '!' || pattern[start] === '^';
  const first = isNegated ? start + 1 : start;
  const ranges: ((character: string) => boolean)[] = [];
  for (let i = first; i < pattern.length; i++) {
    if (pattern[i] === ']' && i > first) {
      const some = (character: string): boolean => ranges.some((range) => range(character));
      return { fits: (character) => some(character) !== isNegated, end: i };
    }
    const named = pattern.startsWith('[:', i) ? pattern.indexOf(':]', i + 2) : -1;
    if (named !== -1) {
      const characters = CLASSES[pattern.slice(i + 2, named)];
      if (characters === undefined) return undefined;
      ranges.push((character) => characters.test(character));
      i = named + 1;
      continue;
    }
    if (pattern[i] === '\\') i++;
    const from = pattern.charAt(i);
    const isRange = pattern[i + 1] === '-' && i + 2 < pattern.length && pattern[i + 2] !== ']';
    if (isRange) i += pattern[i + 2] === '\\' ? 3 : 2;
    const to = pattern.charAt(i);
    ranges.push((character) => from <= character && character <= to);
  }
  return undefined;
}
