/** Line and column in a text, counted from 1 as in editors. Columns are in code points. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** Range in a text. `end` is the place after its last character. */
export interface PlaceRange extends Place {
  readonly end: Place;
}

const LF = 0x0a;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/**
 * Index of the lines of a UTF-8 file, which converts byte offsets to lines and columns. A byte order mark at the beginning of the file does
 * not count as a column.
 */
export class FileLines {
  readonly #bytes: Uint8Array;
  /** Offset of each line's first byte, as far as lines were needed. */
  readonly #starts: number[];
  /** Offset after the last line break that was found; undefined if all lines are known. */
  #found: number | undefined = 0;
  /** Line that was requested most recently. It is cached because thousands of findings may refer to one long line. */
  #latest: { readonly line: number; readonly characters: readonly string[] } | undefined;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#starts = [BYTE_ORDER_MARK.every((byte, i) => bytes[i] === byte) ? BYTE_ORDER_MARK.length : 0];
  }

  /** Returns the place of the byte at `offset`. The first byte has offset 0. */
  placeOf(offset: number): Place {
    this.#findLines((starts) => (starts.at(-1) as number) > offset);
    const line = lineAt(this.#starts, offset);
    const before = this.#bytes.subarray(this.#starts[line], offset);
    return { line: line + 1, column: codePoints(new TextDecoder().decode(before)) + 1 };
  }

  /**
   * Returns the code points of a line, without its line break. `line` counts from 1. Returns an empty list if the file has no such line.
   */
  charactersOf(line: number): readonly string[] {
    if (this.#latest?.line === line) return this.#latest.characters;
    this.#findLines((starts) => starts.length > line);
    const start = this.#starts[line - 1];
    if (start === undefined) return [];
    const end = (this.#starts[line] ?? this.#bytes.length + 1) - 1;
    const characters = [...new TextDecoder().decode(this.#bytes.subarray(start, end)).replace(/\r$/, '')];
    this.#latest = { line, characters };
    return characters;
  }

  /** Finds the beginnings of lines until there are enough, because most places are at the beginning of a large file. */
  #findLines(areEnough: (starts: readonly number[]) => boolean): void {
    while (this.#found !== undefined && !areEnough(this.#starts)) {
      const at = this.#bytes.indexOf(LF, this.#found);
      this.#found = at < 0 ? undefined : at + 1;
      if (at >= 0) this.#starts.push(at + 1);
    }
  }
}

/** Index of the lines of a text that is part of a file. It converts offsets in the text to places (line and column) in the file. */
export class TextLines {
  readonly #text: string;
  readonly #beginning: Place;
  /** Offset of each line's first character, in UTF-16 code units. */
  readonly #starts: readonly number[];

  /** @param beginning place of the text's first character in the file */
  constructor(text: string, beginning: Place) {
    this.#text = text;
    this.#beginning = beginning;
    const starts = [0];
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
    this.#starts = starts;
  }

  /** Returns the place in the file of the character at `offset`. The offset is in the text, in UTF-16 code units. */
  placeOf(offset: number): Place {
    const line = lineAt(this.#starts, offset);
    const before = codePoints(this.#text.slice(this.#starts[line], offset));
    return { line: this.#beginning.line + line, column: before + (line === 0 ? this.#beginning.column : 1) };
  }
}

/** Returns the index, from 0, of the last line that begins at or before `offset`. */
function lineAt(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] as number) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

function codePoints(text: string): number {
  let count = text.length;
  for (let i = 0; i < text.length; i++) if ((text.charCodeAt(i) & 0xfc00) === 0xdc00) count--;
  return count;
}
