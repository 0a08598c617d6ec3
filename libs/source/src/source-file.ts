import type { DocumentOrigin } from '#evaluation';
import { FileLines, TextLines } from './line-index.ts';
import type { Place, PlaceRange } from './line-index.ts';
import { SourceDocument } from './source-document.ts';
import type { Focus, Stretch } from './source-document.ts';
import { writtenField } from './written-field.ts';

/** Paths at which people wrap an object into a larger document: as a write, in an AdmissionReview, in an audit event. */
const WRAPPERS = ['object', 'request.object', 'requestObject'] as const;
/** The text before the content of a document: empty lines, comments, its separator. */
const BEFORE_CONTENT = /^(?:\ufeff?(?:[ \t]*(?:#.*)?|---[ \t]*(?:#.*)?|%.*)\r?\n)*(?:---[ \t]+)?[ \t]*/;

/** A file of documents, to tell where in it a field stands. */
export class SourceFile {
  readonly #bytes: Uint8Array;
  #lines: FileLines | undefined;
  /** Items of one list come one after the other: its text is read once. */
  #last: { readonly start: number; readonly end: number; readonly document: SourceDocument; readonly lines: TextLines } | undefined;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** The lines of the file; they are looked for when they are first asked for. */
  get lines(): FileLines {
    return (this.#lines ??= new FileLines(this.#bytes));
  }

  /** Returns the text between two bytes, from 0. Default end: the end of the file. */
  textBetween(start: number, end = this.#bytes.length): string {
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(this.#bytes.subarray(start, end));
  }

  /** One of its documents. */
  document({ start, end, item }: DocumentOrigin): PlacedSource {
    if (this.#last?.start !== start || this.#last.end !== end) {
      const text = this.textBetween(start, end);
      this.#last = { start, end, document: new SourceDocument(text), lines: new TextLines(text, this.lines.placeOf(start)) };
    }
    return new PlacedSource(this.#last.document, this.#last.lines, item);
  }
}

/** A document with its place in its file. */
export class PlacedSource {
  readonly #document: SourceDocument;
  readonly #lines: TextLines;
  readonly #item: number | undefined;
  #prefix: string | undefined;

  /**
   * @param lines those of the document, as places of the file
   * @param item of a document that is a list, the one that is meant
   */
  constructor(document: SourceDocument, lines: TextLines, item?: number) {
    this.#document = document;
    this.#lines = lines;
    this.#item = item;
  }

  /** Returns where the object begins: behind comments and separators. */
  get beginning(): Place {
    const item = this.#item === undefined ? undefined : this.#document.stretchOf(this.#inside(''), 'name');
    return this.#lines.placeOf(item?.start ?? BEFORE_CONTENT.exec(this.#document.text)?.[0].length ?? 0);
  }

  /** Returns whether the object has a field. */
  has(field: string): boolean {
    return this.#document.has(this.#inside(field));
  }

  /** Returns the place of a field of the object, or of the nearest field around it. */
  rangeOf(field: string, focus?: Focus): PlaceRange | undefined {
    const stretch = this.#document.stretchOf(this.#inside(field), focus);
    return stretch && this.#rangeOf(stretch);
  }

  /**
   * Returns where one character of a string field was written.
   *
   * @param at of the string as it is read, in UTF-16 code units
   */
  rangeInField(field: string, at: number): PlaceRange | undefined {
    const start = this.#document.offsetInField(this.#inside(field), at);
    return start === undefined ? undefined : this.#rangeOf({ start, end: start + 1 });
  }

  /** Returns the place of a character of a string under a key ({@link SourceDocument.offsetsUnder}). Of several strings, the nearest to a field counts. */
  rangeUnder(key: string, characterOf: (text: string) => number | undefined, field: string): PlaceRange | undefined {
    const offsets = this.#document.offsetsUnder(key, characterOf);
    const from = this.#document.stretchOf(this.#inside(field))?.start ?? 0;
    const [start] = offsets.toSorted((a, b) => Math.abs(a - from) - Math.abs(b - from));
    return start === undefined ? undefined : this.#rangeOf({ start, end: start + 1 });
  }

  /** Returns the text of a string field; undefined if it is no string. */
  textOf(field: string): string | undefined {
    return this.#document.textOf(this.#inside(field));
  }

  /** The text of the document; it may hold more than the object. */
  get text(): string {
    return this.#document.text;
  }

  /** {@link SourceDocument.withEntry} of a map inside the object. */
  withEntry(field: string, key: string, value: string): string | undefined {
    return this.#document.withEntry(this.#inside(field), key, value);
  }

  /** Returns the name of a field in the text. In a definition, one version holds the parts that a server calls shared. */
  writtenField(field: string): string {
    return writtenField(field, this);
  }

  /** Returns the place at which a line of the document begins, counted from 1 at its first character. */
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

/** Returns the prefix of the field paths of an object that is a part of its document. */
function prefixOf(document: SourceDocument, item: number | undefined): string {
  if (item !== undefined) return `items[${item}]`;
  const bare = document.has('kind') && !document.has('request') && !document.has('requestObject');
  return bare ? '' : (WRAPPERS.find((wrapper) => document.has(wrapper)) ?? '');
}
