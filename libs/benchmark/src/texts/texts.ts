/** Maximum length of a generated text in code points. Objects with longer texts would exceed the default size limit of etcd. */
export const MAX_LENGTH = 1_500_000;

/** Maximum number of texts that {@link Texts.distinct} counts. Larger integers are not exact in JavaScript. */
export const MAX_DISTINCT = Number.MAX_SAFE_INTEGER;

/**
 * Generator of texts of one kind, such as texts that match a pattern. It makes each text from a length and an index. The same arguments
 * always produce the same text.
 */
export interface Texts {
  /** The length of the shortest text, in code points. */
  readonly least: number;
  /**
   * Length of the longest text in code points. Infinity if there is no limit. Generated texts are never longer than {@link MAX_LENGTH}.
   */
  readonly most: number;
  /**
   * Returns a text that is as long as possible, and at most `length` code points long. If `length` is below `least`, the shortest text is
   * returned. Indices below `distinct(length)` produce different texts, and larger indices repeat these texts. The search for texts is not
   * exhaustive: a few texts are shorter than possible. If alternatives of a pattern overlap, a few large indices produce equal texts.
   * Returns undefined if no text was found.
   *
   * @param index Integer from 0 on.
   */
  text(length: number, index: number): string | undefined;
  /** Returns the number of different texts at a length in code points, limited to {@link MAX_DISTINCT}. */
  distinct(length: number): number;
}
