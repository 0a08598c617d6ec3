import { minMatchLength } from '#go';

/** Maximum number of instructions of all patterns of a version whose least lengths are computed. Advice skips further patterns. */
const MAX_INSTRUCTIONS = 200_000;

/**
 * Computes the least lengths of the patterns of a version, each once. The common work is bounded, because a client chooses the patterns.
 */
export class PatternLengths {
  readonly #known = new Map<string, number | undefined>();
  #left = MAX_INSTRUCTIONS;

  /**
   * Returns the least number of characters of a text that contains a match of `pattern`; Infinity if no text does. Returns undefined if
   * this is not known.
   */
  of(pattern: string): number | undefined {
    if (this.#known.has(pattern)) return this.#known.get(pattern);
    const least = minMatchLength(pattern, this.#left);
    this.#left -= least?.instructions ?? 0;
    this.#known.set(pattern, least?.length);
    return least?.length;
  }
}
