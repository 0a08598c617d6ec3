/** Texts of one kind: those that a pattern matches, or those of a format. */
export interface Texts {
  /** Least length, code points. */
  readonly least: number;
  /** Greatest length, code points; Infinity if there is none. */
  readonly most: number;
  /**
   * Returns a text of about so many code points, not more unless the least length is greater; undefined if none is found. Different indices give different
   * texts as far as there are so many.
   */
  text(length: number, index: number): string | undefined;
}

/** Makes texts for schemas. */
export interface TextSource {
  /** Returns texts that a pattern of RE2 matches; undefined if the pattern is not served. */
  ofPattern(pattern: string): Texts | undefined;
  /** Returns texts of a format that servers check; undefined for other formats. */
  ofFormat(format: string): Texts | undefined;
}
