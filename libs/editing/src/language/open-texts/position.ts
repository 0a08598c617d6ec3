/** Position in a text, counted as in the Language Server Protocol: line and character from 0, characters in UTF-16 code units. */
export interface Position {
  readonly line: number;
  readonly character: number;
}

/** Range in a text. Its end is the position after its last character. */
export interface Range {
  readonly start: Position;
  readonly end: Position;
}

/** Converter between offsets in a text, in UTF-16 code units, and positions. */
export class TextPositions {
  readonly #text: string;
  readonly #starts: readonly number[];

  constructor(text: string) {
    this.#text = text;
    const starts = [0];
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
    this.#starts = starts;
  }

  /** Number of lines. An empty text has one line. */
  get lines(): number {
    return this.#starts.length;
  }

  /** Returns a line without its line end. Returns an empty text if the line does not exist. */
  lineText(line: number): string {
    const start = this.#starts[line];
    if (start === undefined) return '';
    return this.#text.slice(start, (this.#starts[line + 1] ?? this.#text.length + 1) - 1).replace(/\r$/, '');
  }

  positionOf(offset: number): Position {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] as number) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low, character: Math.max(0, offset - (this.#starts[low] as number)) };
  }

  rangeOf(start: number, end: number): Range {
    return { start: this.positionOf(start), end: this.positionOf(end) };
  }

  /**
   * Returns the offset of a position. A position after the end of its line is moved to the end of the line. A position after the end of the
   * text is moved to the end of the text.
   */
  offsetOf({ line, character }: Position): number {
    if (line >= this.#starts.length) return this.#text.length;
    const start = this.#starts[Math.max(0, line)] as number;
    return Math.min(start + Math.max(0, character), start + this.lineText(Math.max(0, line)).length);
  }
}
