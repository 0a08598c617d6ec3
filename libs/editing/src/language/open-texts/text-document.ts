import { DocumentPart } from './document-part.ts';
import { TextPositions } from './position.ts';
import type { Position, Range } from './position.ts';
import type { FindingLocation } from '../../findings/findings.ts';

/** One YAML or JSON document of an open text, with the position in the text at which the document begins. */
export interface PlacedPart {
  readonly part: DocumentPart;
  /** Offset of the document's first character in the text, in UTF-16 code units. */
  readonly start: number;
  /** Number of the line in which the document begins, counted from 0. */
  readonly line: number;
}

/**
 * Text that is open in an editor, divided into its YAML or JSON documents. Instances are immutable: {@link edited} returns the text after
 * an edit.
 */
export class TextDocument {
  readonly uri: string;
  readonly text: string;
  readonly positions: TextPositions;
  readonly parts: readonly PlacedPart[];

  private constructor(uri: string, text: string, partOf: (text: string, index: number) => DocumentPart) {
    this.uri = uri;
    this.text = text;
    this.positions = new TextPositions(text);
    const starts = startsOf(text);
    this.parts = starts.map((start, i) => ({
      part: partOf(text.slice(start, starts[i + 1]), i),
      start,
      line: this.positions.positionOf(start).line,
    }));
  }

  static of(uri: string, text: string): TextDocument {
    return new TextDocument(uri, text, (part) => DocumentPart.of(part));
  }

  /**
   * Returns the state of the text after an edit. Unchanged documents are reused. In a changed document, only the changed part is parsed
   * again.
   */
  edited(text: string): TextDocument {
    const before = this.parts.map(({ part }) => part);
    const byText = new Map(before.map((part) => [part.text, part]));
    const isAsMany = startsOf(text).length === before.length;
    return new TextDocument(
      this.uri,
      text,
      (part, i) => byText.get(part) ?? (isAsMany ? (before[i] as DocumentPart).edited(part) : DocumentPart.of(part)),
    );
  }

  /** Returns the document that contains a position. */
  partAt(position: Position): PlacedPart {
    return this.parts.findLast(({ line }) => line <= position.line) ?? (this.parts[0] as PlacedPart);
  }

  /**
   * Converts a location in one document to a range in the whole text. The lines of the location are counted from the start of the document,
   * and its columns are in code points.
   */
  rangeOf({ line: first }: PlacedPart, { line, column, endLine, endColumn }: FindingLocation): Range {
    const start = this.#positionOf(first + line - 1, column);
    const end = this.#positionOf(first + endLine - 1, endColumn);
    return { start, end };
  }

  #positionOf(line: number, column: number): Position {
    const before = [...this.positions.lineText(line)].slice(0, column - 1).join('');
    return { line, character: before.length };
  }
}

/** Returns the offsets at which documents begin: the beginning of the text, and each `---` that follows some content. */
function startsOf(text: string): readonly number[] {
  const separators = [...text.matchAll(/(?<![^\n])---(?=[ \t\r\n]|$)/g)].map(({ index }) => index);
  const isFirst = separators[0] !== undefined && /^(?:\s*(?:#.*)?(?:\n|$))*$/.test(text.slice(0, separators[0]));
  return [0, ...(isFirst ? separators.slice(1) : separators)];
}
