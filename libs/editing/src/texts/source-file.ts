import type { DocumentOrigin } from '#documents';
import { FileLines, TextLines } from './line-index.ts';
import type { Place, PlaceRange } from './line-index.ts';
import { SourceDocument } from './source-document.ts';
import type { Focus, PlainScalar, Stretch } from './source-document.ts';
import { writtenField } from './written-field.ts';

/** Paths of an object in the larger documents that may contain it: a write, an AdmissionReview, an audit event. */
const WRAPPERS = ['object', 'request.object', 'requestObject'] as const;
/** Pattern for the text before the content of a document: empty lines, comments, directives and the separator. */
const BEFORE_CONTENT = /^(?:\ufeff?(?:[ \t]*(?:#.*)?|---[ \t]*(?:#.*)?|%.*)\r?\n)*(?:---[ \t]+)?[ \t]*/;

/** File with one or more documents, and methods that find the places of fields in the file. */
export class SourceFile {
  readonly #bytes: Uint8Array;
  #lines: FileLines | undefined;
  /**
   * Document that was used most recently. The items of one list are usually requested one after another, so their document is parsed only
   * once.
   */
  #last: { readonly start: number; readonly end: number; readonly document: SourceDocument; readonly lines: TextLines } | undefined;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Lines of the file. They are determined at the first access. */
  get lines(): FileLines {
    return (this.#lines ??= new FileLines(this.#bytes));
  }

  /** Returns the text between the byte offsets `start` and `end`. By default, `end` is the end of the file. */
  textBetween(start: number, end = this.#bytes.length): string {
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(this.#bytes.subarray(start, end));
  }

  /** Returns the document with this origin, or the list item if the origin contains an item. */
  document({ start, end, item }: DocumentOrigin): PlacedSource {
    if (this.#last?.start !== start || this.#last.end !== end) {
      const text = this.textBetween(start, end);
      this.#last = { start, end, document: new SourceDocument(text), lines: new TextLines(text, this.lines.placeOf(start)) };
    }
    return new PlacedSource(this.#last.document, this.#last.lines, item);
  }
}

/** Object in a file: a document or an item of a list, with its place in the file. */
export class PlacedSource {
  readonly #document: SourceDocument;
  readonly #lines: TextLines;
  readonly #item: number | undefined;
  #prefix: string | undefined;

  /**
   * @param lines lines of the document, which return places in the file
   * @param item index of the item if the document is a list and the object is one of its items
   */
  constructor(document: SourceDocument, lines: TextLines, item?: number) {
    this.#document = document;
    this.#lines = lines;
    this.#item = item;
  }

  /** Place where the object begins, after comments and separators. */
  get beginning(): Place {
    const item = this.#item === undefined ? undefined : this.#document.stretchOf(this.#inside(''), 'name');
    return this.#lines.placeOf(item?.start ?? BEFORE_CONTENT.exec(this.#document.text)?.[0].length ?? 0);
  }

  /** Returns true if the object contains a field. */
  has(field: string): boolean {
    return this.#document.has(this.#inside(field));
  }

  /**
   * Returns the range of a field of the object. If the object does not contain the field, returns the range of the nearest enclosing field.
   */
  rangeOf(field: string, focus?: Focus): PlaceRange | undefined {
    const stretch = this.#document.stretchOf(this.#inside(field), focus);
    return stretch && this.#rangeOf(stretch);
  }

  /**
   * Returns the range in the file of some characters of a string field; undefined if the file does not contain them.
   *
   * @param at offset in the parsed string, in UTF-16 code units
   * @param length number of characters, in UTF-16 code units
   */
  rangeInField(field: string, at: number, length = 1): PlaceRange | undefined {
    const inside = this.#inside(field);
    const start = this.#document.offsetInField(inside, at);
    if (start === undefined) return undefined;
    const last = length > 1 ? this.#document.offsetInField(inside, at + length - 1) : start;
    return this.#rangeOf({ start, end: (last ?? start) + 1 });
  }

  /**
   * Returns the range of one character in a string that is a value of `key` ({@link SourceDocument.offsetsUnder}). If several strings
   * contain the character, uses the string that is nearest to `field`. Undefined if no string contains it.
   */
  rangeUnder(key: string, characterOf: (text: string) => number | undefined, field: string): PlaceRange | undefined {
    const offsets = this.#document.offsetsUnder(key, characterOf);
    const from = this.#document.stretchOf(this.#inside(field))?.start ?? 0;
    const [start] = offsets.toSorted((a, b) => Math.abs(a - from) - Math.abs(b - from));
    return start === undefined ? undefined : this.#rangeOf({ start, end: start + 1 });
  }

  /** Returns the text of a scalar field; undefined if the field is not a scalar. */
  textOf(field: string): string | undefined {
    return this.#document.textOf(this.#inside(field));
  }

  /**
   * Returns the first scalar without quotes in the object for which `isMeant` is true, with its text and range. `isMeant` receives the
   * scalar's path from the root of the object. Returns undefined if there is none.
   */
  plainScalar(isMeant: (scalar: PlainScalar) => boolean): { readonly text: string; readonly range: PlaceRange } | undefined {
    for (const scalar of this.#document.plainScalars(this.#inside('')))
      if (isMeant(scalar)) return { text: scalar.text, range: this.#rangeOf(scalar) };
    return undefined;
  }

  /** Text of the whole document. If the object is an item of a list or is wrapped, the text contains more than the object. */
  get text(): string {
    return this.#document.text;
  }

  /** Calls {@link SourceDocument.withEntry} with a path relative to the object. */
  withEntry(field: string, key: string, value: string): string | undefined {
    return this.#document.withEntry(this.#inside(field), key, value);
  }

  /**
   * Returns the path of a field in the form in which the text contains it. The server reports some parts of a definition under `spec`, as
   * shared by all versions. The text may nevertheless contain these parts in a version.
   */
  writtenField(field: string): string {
    return writtenField(field, this);
  }

  /** Returns the place in the file at which a line of the document begins. `line` counts from 1 within the document. */
  placeOfLine(line: number): Place {
    return { line: this.#lines.placeOf(0).line + line - 1, column: 1 };
  }

  #inside(field: string): string {
    const prefix = (this.#prefix ??= prefixOf(this.#document, this.#item));
    if (prefix === '' || field === '') return prefix || field;
    return field.startsWith('[') ? `${prefix}${field}` : `${prefix}.${field}`;
  }

  #rangeOf({ start, end }: Stretch): PlaceRange {
    return { ...this.#lines.placeOf(start), end: this.#lines.placeOf(end) };
  }
}

/** Returns the path of the object within its document; empty if the document is the object. */
function prefixOf(document: SourceDocument, item: number | undefined): string {
  if (item !== undefined) return `items[${item}]`;
  const bare = document.has('kind') && !document.has('request') && !document.has('requestObject');
  return bare ? '' : (WRAPPERS.find((wrapper) => document.has(wrapper)) ?? '');
}
