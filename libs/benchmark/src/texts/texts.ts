/** The most code points that a text is made of: etcd stores no larger object, unless it is told to. */
export const MOST_LENGTH = 1_500_000;

/** The most texts that {@link Texts.distinct} tells apart: beyond, integers are not exact. */
export const MOST_DISTINCT = Number.MAX_SAFE_INTEGER;

/** Texts of one kind, by their length and an index. The same arguments give the same text. */
export interface Texts {
  /** The length of the shortest text, in code points. */
  readonly least: number;
  /** The length of the longest text in code points, Infinity if there is none. No text is made longer than {@link MOST_LENGTH}. */
  readonly most: number;
  /**
   * Returns a text as long as possible, but not longer than `length` code points; the shortest one if `length` is below `least`.
   * Indices below `distinct(length)` give different texts, other indices repeat these. The search for texts is not exhaustive: a few are shorter than they could be. If alternatives of a pattern overlap, a few large indices give the same text. Undefined if no text was found.
   *
   * @param index an integer from 0 on
   */
  text(length: number, index: number): string | undefined;
  /** Returns how many different texts indices give at a length in code points, at most {@link MOST_DISTINCT}. */
  distinct(length: number): number;
}
