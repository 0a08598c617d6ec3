import {
  ASSERTIONS,
  BAD_CLASSES,
  BAD_ESCAPES,
  BAD_GROUPS,
  BAD_POSIX,
  BAD_REPEATS,
  CHARACTERS,
  CLASSES,
  ESCAPES,
  FLAGS,
  LIMITS,
  POSIX,
  REPEATS,
} from './pattern-words.ts';

/**
 * Generator of random patterns in RE2 syntax, most of them valid, and of texts to match. The same random numbers lead to the same results.
 */
export class RandomPatterns {
  readonly #random: () => number;

  /**
   * Creates a generator.
   *
   * @param random function that returns random numbers from 0 up to, but not including, 1
   */
  constructor(random: () => number) {
    this.#random = random;
  }

  /**
   * Returns a random pattern. About one in eight patterns has a construct that Go refuses or that is near a limit. About one in sixteen has
   * a random typing error.
   */
  pattern(): string {
    const pattern = this.#alternation(this.#below(4));
    switch (this.#below(16)) {
      case 0:
        return this.#slip(pattern);
      case 1:
        return this.#spliced(pattern, this.#oneOf([...BAD_CLASSES, ...BAD_POSIX, ...BAD_ESCAPES]));
      case 2:
        return this.#spliced(pattern, this.#oneOf([...BAD_GROUPS, ...BAD_REPEATS]));
      case 3:
        return this.#below(4) === 0 ? this.#oneOf(LIMITS) : this.#oneOf(FLAGS) + pattern;
      default:
        return pattern;
    }
  }

  /** Returns a random text of at most 14 characters from {@link CHARACTERS}, which also occur in the patterns. */
  text(): string {
    return this.#several(this.#below(15), () => this.#oneOf(CHARACTERS));
  }

  #alternation(depth: number): string {
    const branches = this.#below(4) === 0 ? 1 + this.#below(4) : 1;
    return Array.from({ length: branches }, () => this.#several(this.#below(5), () => this.#repeated(depth))).join('|');
  }

  #repeated(depth: number): string {
    const atom = this.#atom(depth);
    return this.#below(3) === 0 ? atom + this.#oneOf(REPEATS) : atom;
  }

  #atom(depth: number): string {
    switch (this.#below(depth > 0 ? 14 : 9)) {
      case 0:
      case 1:
      case 2:
        return this.#literal();
      case 3:
        return '.';
      case 4:
        return this.#oneOf(CLASSES);
      case 5:
        return this.#class();
      case 6:
        return this.#oneOf(ASSERTIONS);
      case 7:
        return this.#oneOf(ESCAPES);
      case 8:
        return this.#below(3) === 0
          ? `\\Q${this.#literal()}${this.#oneOf(['.*', '(', '', '\\', '+'])}${this.#oneOf(['\\E', '\\E', '\\E', ''])}`
          : this.#literal();
      case 9:
        return `(${this.#oneOf(['?i', '?s', '?m', '?U', '?i-s', '?-i', '?is'])}:${this.#alternation(depth - 1)})`;
      case 10:
        return `(${this.#oneOf(['?P<n', '?<n'])}${this.#below(50)}>${this.#alternation(depth - 1)})`;
      case 11:
        return `(?:${this.#alternation(depth - 1)})`;
      case 12:
        return this.#oneOf(FLAGS);
      default:
        return `(${this.#alternation(depth - 1)})`;
    }
  }

  #class(): string {
    const parts = this.#several(1 + this.#below(3), () => {
      switch (this.#below(6)) {
        case 0:
          return this.#range();
        case 1:
          return this.#oneOf(CLASSES);
        case 2:
          return `[:${this.#oneOf(['', '^'])}${this.#oneOf(POSIX)}:]`;
        case 3:
          return this.#oneOf(ESCAPES);
        case 4:
          return this.#oneOf(['-', ']', '^', '[', '&&', '.', '$', '\\]', '\\b', '--', '\\Q']);
        default:
          return this.#literal();
      }
    });
    return `[${this.#oneOf(['', '', '^'])}${parts}]`;
  }

  #range(): string {
    const [from, to] = [this.#oneOf(CHARACTERS), this.#oneOf(CHARACTERS)];
    // Most of the ranges are valid.
    return this.#below(8) === 0 || from.codePointAt(0)! <= to.codePointAt(0)! ? `${from}-${to}` : `${to}-${from}`;
  }

  #literal(): string {
    return this.#oneOf(CHARACTERS);
  }

  /** Returns a pattern with a typing error: one character is dropped, doubled, inserted or replaced. */
  #slip(pattern: string): string {
    const characters = [...pattern];
    const at = this.#below(characters.length + 1);
    const inserted = this.#oneOf(['', '(', ')', '[', ']', '{', '}', '\\', '*', '?', '+', '|', '^', '-', characters[at] ?? 'a']);
    characters.splice(at, this.#below(2), inserted);
    return characters.join('');
  }

  #spliced(pattern: string, part: string): string {
    const characters = [...pattern];
    characters.splice(this.#below(characters.length + 1), 0, part);
    return characters.join('');
  }

  #several(count: number, make: () => string): string {
    return Array.from({ length: count }, make).join('');
  }

  #oneOf(choices: readonly string[]): string {
    return choices[this.#below(choices.length)]!;
  }

  #below(end: number): number {
    return Math.floor(this.#random() * end);
  }
}
