import {
  Cancelled,
  concatBytes,
  followingDocuments,
  isJsonObject,
  latin1Text,
  readFirstDocument,
  readJson,
  splitDocuments,
  utf8Bytes,
  writeJson,
} from '#go';
import { definitionsOfComposite } from '#crd';
import { isCompositeDefinition } from '#kube';
import type { CancellationToken, FirstDocument, FollowingDocument, JsonObject, JsonValue, YamlStreamPart } from '#go';
import {
  compactJson,
  isPolicyType,
  MAX_ITEM_BYTES,
  scanElements,
  scanMembers,
  scanObjects,
  tooManyStatus,
  withoutByteOrderMark,
} from '#documents';
import { MAX_BODY_BYTES } from '#kube';
import type { CutDocument, DocumentLimits, DocumentOrigin, MemberSpan } from '#documents';
import { TypeNotes, typeName } from '../object-types.ts';
import type { DocumentList, DocumentNotation } from '../protocol.ts';
import { doubledMemberStatus, doubledYamlStatus, isTwoDocuments } from './doubled-keys.ts';
import { isSkippedEvent } from './recorded-write.ts';

const NEWLINE = 0x0a;
/** Matches a line, in ASCII bytes, by which a YAML block mapping declares its document to be a list. */
const LIST_KIND = /^(?:kind|"kind"|'kind')[ \t]*:[ \t]*["']?\w*List\b/m;
/** Number of bytes at each end of a large document in which the line with the document's kind is searched. */
const KIND_WITHIN_BYTES = 64 * 1024;

/** Function that receives each definition of a YAML stream, with the result of parsing it. */
type ParsedDefinition = (definition: CutDocument, reading: FirstDocument) => void;

/** Settings for sorting documents. `parsed` receives each definition in YAML. */
interface Sorting {
  readonly limits: DocumentLimits;
  readonly token: CancellationToken;
  readonly parsed: ParsedDefinition | undefined;
}

/**
 * Cuts a YAML stream, or lines of JSON, into documents. Unpacks lists, and separates definitions and policies from objects. Skips audit
 * events that record no completed create or update request. An unreadable document counts as an object. A document that is not a list and
 * exceeds the maximum size of an item is not parsed. Stops at the first document that exceeds a limit. Skips a byte order mark before the
 * stream. Throws `Cancelled` if the token requests cancellation.
 *
 * Documents that kubectl would not read, because no separator precedes them that it knows, count as objects that are refused. So no document
 * is lost without a message. `parsed` receives each definition in YAML that is no item of a list.
 */
export function cutDocuments(
  bytes: Uint8Array,
  notation: DocumentNotation,
  limits: DocumentLimits,
  token: CancellationToken,
  parsed?: ParsedDefinition,
): DocumentList {
  const stream = withoutByteOrderMark(bytes);
  const sorter = new DocumentSorter(bytes, stream, { limits, token, parsed });
  if (notation === 'json-lines') {
    for (const line of linesOf(stream)) {
      if (token.cancelled) throw new Cancelled();
      sorter.addJson(line);
      if (sorter.full) break;
    }
    return sorter.found;
  }
  let isFirst = true;
  for (const part of splitDocuments(stream, token)) {
    if (token.cancelled) throw new Cancelled();
    sorter.addPart(part, isFirst);
    if (sorter.full) break;
    isFirst = false;
  }
  return sorter.found;
}

function* linesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let from = 0; from < bytes.length;) {
    const newline = bytes.indexOf(NEWLINE, from);
    const end = newline < 0 ? bytes.length : newline;
    if (firstByte(bytes, from, end) !== undefined) yield bytes.subarray(from, end);
    from = end + 1;
  }
}

/** Returns the first byte that is not white space; undefined if there is none. */
function firstByte(bytes: Uint8Array, from: number, end: number): number | undefined {
  for (let at = from; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte !== 0x20 && byte !== NEWLINE && byte !== 0x0d && byte !== 0x09) return byte;
  }
  return undefined;
}

function isJson(bytes: Uint8Array): boolean {
  return firstByte(bytes, 0, bytes.length) === 0x7b;
}

/**
 * Returns true if a text is YAML with a flow mapping. Such a text begins like a JSON object but is no JSON, and kubectl reads it as YAML.
 */
function isFlowMapping(bytes: Uint8Array, token: CancellationToken): boolean {
  if (bytes.length > MAX_ITEM_BYTES) return false;
  const reading = readFirstDocument(bytes, token);
  return reading.ok && isJsonObject(reading.value);
}

/** Returns the number of line feeds before the offset `end`. */
function lineFeeds(bytes: Uint8Array, end: number): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at >= 0 && at < end; at = bytes.indexOf(NEWLINE, at + 1)) count += 1;
  return count;
}

/** Collector that separates documents into definitions, policies and objects, and checks their limits. */
class DocumentSorter {
  readonly #text: Uint8Array;
  readonly #stream: Uint8Array;
  readonly #definitions: CutDocument[] = [];
  readonly #policies: CutDocument[] = [];
  readonly #objects: CutDocument[] = [];
  readonly #types = new TypeNotes();
  readonly #limits: DocumentLimits;
  readonly #token: CancellationToken;
  readonly #parsed: ParsedDefinition | undefined;
  #tooMany: ListedPlace | undefined;
  /** Position of the current part of the stream, which is the position of all documents in a part whose bytes were copied. */
  #copied: DocumentOrigin = { start: 0, end: 0 };

  /** @param stream the text without its byte order mark, as a view of the same memory */
  constructor(text: Uint8Array, stream: Uint8Array, { limits, token, parsed }: Sorting) {
    this.#text = text;
    this.#stream = stream;
    this.#limits = limits;
    this.#token = token;
    this.#parsed = parsed;
  }

  /** True if the documents exceed a limit. */
  get full(): boolean {
    return this.#tooMany !== undefined;
  }

  get found(): DocumentList {
    if (this.#tooMany === undefined) return this.#all();
    const status =
      (this.#tooMany === 'objects' ? this.#limits.tooManyObjects : undefined) ?? tooManyStatus(this.#tooMany, this.#maxOf(this.#tooMany));
    return { ...NOTHING, status };
  }

  #all(): DocumentList {
    return { definitions: this.#definitions, policies: this.#policies, objects: this.#objects, types: this.#types.noted };
  }

  /**
   * Adds a part of a stream. Like kubectl, reads JSON objects that follow one another without separators at the start of a stream. `isFirst`
   * is true if the stream begins with the part.
   */
  addPart(part: YamlStreamPart, isFirst: boolean): void {
    const { bytes, line, error } = part;
    const before = this.#stream.byteOffset - this.#text.byteOffset;
    const start = before + part.start;
    this.#copied = { start, end: before + part.end };
    if (error !== undefined) return this.#refuse(`line ${line}: ${error}`, this.#copied);
    if (!isJson(bytes)) return this.#addYaml(bytes, line, start);
    if (scanMembers(bytes).ok) return this.addJson(bytes);
    let end = 0;
    for (const span of isFirst ? scanObjects(bytes) : []) {
      if (this.#token.cancelled) throw new Cancelled();
      this.addJson(bytes.subarray(span.start, span.end));
      if (this.full) return;
      end = span.end;
    }
    const rest = bytes.subarray(end);
    if (firstByte(rest, 0, rest.length) === undefined) return;
    if (isJson(rest) && !isFlowMapping(rest, this.#token)) return this.addJson(rest);
    this.#addYaml(rest, line + lineFeeds(bytes, end), start + end);
  }

  /**
   * Adds a YAML text, of which kubectl reads the first document only. Refuses the documents after it. `line` is the line on which the text
   * begins, and `start` its offset in the whole text.
   */
  #addYaml(bytes: Uint8Array, line: number, start: number): void {
    const end = this.#addFirst(bytes, start);
    if (end === undefined) return;
    let previous: FollowingDocument | undefined;
    const refuse = (document: FollowingDocument, to: number): void =>
      this.#refuse(
        `line ${line + document.line - 1}: kubectl does not read this document, because no line "---" that ends in LF or CRLF separates it from the document before`,
        this.#within(start + document.start, start + to),
      );
    for (const document of followingDocuments(bytes, this.#token)) {
      if (this.#token.cancelled) throw new Cancelled();
      if (previous !== undefined) refuse(previous, document.start);
      if (this.full) return;
      previous = document;
    }
    if (previous !== undefined) refuse(previous, bytes.length);
  }

  /** Adds the first document of a YAML text. Returns the offset at which it ends if other documents follow. */
  #addFirst(bytes: Uint8Array, start: number): number | undefined {
    if (bytes.length > MAX_ITEM_BYTES && !saysList(bytes)) {
      this.#place({ bytes, notation: 'yaml', origin: this.#within(start, start + bytes.length) }, 'objects');
      return undefined;
    }
    const reading = readFirstDocument(bytes, this.#token);
    const end = reading.rest?.start;
    const first = end === undefined ? bytes : bytes.subarray(0, end);
    const document: CutDocument = { bytes: first, notation: 'yaml', origin: this.#within(start, start + first.length) };
    // kubectl skips an empty document, and with it the text up to the next separator that kubectl knows.
    const isSkipped = reading.ok && (reading.isMissing || (reading.value === null && end !== undefined));
    if (!isSkipped) this.#addReading(document, reading);
    return end;
  }

  #addReading(document: CutDocument, reading: FirstDocument): void {
    if (!reading.ok) return this.#place(document, 'objects');
    const { value } = reading;
    if (!isList(value) || doubledYamlStatus(reading, 'list') !== undefined) {
      if (!isJsonObject(value) || isTwoDocuments(reading)) this.#place(document, 'objects');
      else if (this.#limits.areFiles === true && document.bytes.length > MAX_BODY_BYTES && reading.duplicates.length === 0)
        this.#placeValue({ ...document, bytes: utf8Bytes(writeJson(value)), notation: 'json' }, value);
      else if (!isSkippedEvent(value) && this.#placeValue(document, value) === 'definitions') {
        const { rest: _, ...alone } = reading;
        this.#parsed?.(document, alone);
      }
      return;
    }
    const type = itemType(String(value['kind']), value['apiVersion']);
    for (const [item, one] of value.items.entries()) {
      if (this.#token.cancelled) throw new Cancelled();
      this.#addItem(utf8Bytes(writeJson(one)), type, { ...document.origin, item });
      if (this.full) return;
    }
  }

  /** Adds a JSON document, or the items of a JSON list. A list is cut into the bytes of its items without parsing the items. */
  addJson(bytes: Uint8Array): void {
    const scan = scanMembers(bytes);
    const members = scan.ok ? scan.spans : [];
    const kind = textOf(bytes, members, 'kind');
    const items = kind.endsWith('List') && !isNamed(bytes, members) ? members.findLast(({ key }) => key === 'items') : undefined;
    const elements = items && scanElements(bytes, items, this.#limits.definitions + this.#limits.objects + 1);
    if (elements === undefined || doubledMemberStatus(members) !== undefined) {
      const origin = this.#originOf(bytes);
      const sent = this.#limits.areFiles === true ? this.#asSent(bytes) : bytes;
      if (sent === bytes) return this.#placeJson({ bytes, notation: 'json', origin }, members, kind);
      const again = scanMembers(sent);
      return this.#placeJson({ bytes: sent, notation: 'json', origin }, again.ok ? again.spans : [], kind);
    }
    const type = itemType(kind, textOf(bytes, members, 'apiVersion'));
    for (const { start, end } of elements) {
      if (this.#token.cancelled) throw new Cancelled();
      const element = bytes.subarray(start, end);
      this.#addItem(element, type, this.#originOf(element));
      if (this.full) return;
    }
  }

  /** Returns the position of a part of the text within the text. */
  #originOf(part: Uint8Array): DocumentOrigin {
    if (part.buffer !== this.#text.buffer) return this.#copied;
    const start = part.byteOffset - this.#text.byteOffset;
    return { start, end: start + part.length };
  }

  /** Returns a position that does not exceed the current part, because a copy may be one byte longer than its part. */
  #within(start: number, end: number): DocumentOrigin {
    return { start, end: Math.min(end, this.#copied.end) };
  }

  /** Returns the compact bytes that kubectl sends, if the written JSON document exceeds the limit of a request. */
  #asSent(bytes: Uint8Array): Uint8Array {
    return bytes.length > MAX_BODY_BYTES ? compactJson(bytes, MAX_ITEM_BYTES, this.#token) : bytes;
  }

  #addItem(written: Uint8Array, type: ItemType | undefined, origin: DocumentOrigin): void {
    const bytes = this.#asSent(written);
    const scan = scanMembers(bytes);
    const members = scan.ok ? scan.spans : [];
    if (type === undefined || !scan.ok || members.some(({ key }) => key === 'kind'))
      return this.#placeJson({ bytes, notation: 'json', origin }, members, textOf(bytes, members, 'kind'));
    const typed = withType(bytes, type);
    const again = scanMembers(typed);
    this.#placeJson({ bytes: typed, notation: 'json', origin }, again.ok ? again.spans : [], type.kind);
  }

  #placeJson(document: CutDocument, members: readonly MemberSpan[], kind: string): void {
    const { bytes } = document;
    const apiVersion = textOf(bytes, members, 'apiVersion');
    const read = (key: string): Record<string, string> =>
      members.some((member) => member.key === key) ? { [key]: textOf(bytes, members, key) } : {};
    if (kind === 'Event' && isSkippedEvent({ apiVersion, kind, ...read('verb'), ...read('stage') })) return;
    const place = placeOf(apiVersion, kind);
    if (place === 'objects') return this.#place(document, place, typeName(apiVersion, kind));
    const reading = bytes.length <= MAX_ITEM_BYTES ? readJson(bytes, this.#token) : undefined;
    if (reading?.ok === true && isJsonObject(reading.value)) this.#placeValue(document, reading.value);
    else this.#place(document, 'objects');
  }

  #placeValue(document: CutDocument, value: JsonObject): DocumentPlace {
    const { apiVersion, kind } = value;
    const place = placeOf(apiVersion, kind);
    const paramKind = place === 'policies' && isJsonObject(value['spec']) ? value['spec']['paramKind'] : undefined;
    if (isJsonObject(paramKind)) this.#types.parameter(typeName(paramKind['apiVersion'], paramKind['kind']));
    if (place === 'composites') this.#placeComposite(document, value);
    else this.#place(document, place, typeName(apiVersion, kind));
    return place;
  }

  /** Adds the definitions that Crossplane makes of a CompositeResourceDefinition. They have the position of this document. */
  #placeComposite({ origin }: CutDocument, value: JsonObject): void {
    for (const made of definitionsOfComposite(value)) {
      if (this.#token.cancelled) throw new Cancelled();
      const slice = made.ok
        ? ({ bytes: utf8Bytes(writeJson(made.definition)), notation: 'json' } as const)
        : ({ bytes: utf8Bytes(made.error), notation: 'unread' } as const);
      this.#place({ ...slice, origin }, 'definitions');
      if (this.full) return;
    }
  }

  #place(document: CutDocument, where: ListedPlace, type = ''): void {
    const found = { definitions: this.#definitions, policies: this.#policies, objects: this.#objects }[where];
    if (found.length >= this.#maxOf(where)) this.#tooMany = where;
    else found.push(document);
    if (where === 'objects') this.#types.object(type);
  }

  /** Adds a document that Go's reader does not return. `message` is the reason, and begins with the document's line. */
  #refuse(message: string, origin: DocumentOrigin): void {
    this.#place({ bytes: utf8Bytes(message), notation: 'unread', origin }, 'objects');
  }

  #maxOf(where: ListedPlace): number {
    return where === 'objects' ? this.#limits.objects : this.#limits.definitions;
  }
}

const NOTHING: DocumentList = { definitions: [], policies: [], objects: [], types: new TypeNotes().noted };

/** Returns true if a document that is too large for an item appears to be a list. Certainty would require parsing the document. */
function saysList(bytes: Uint8Array): boolean {
  const ends = [bytes.subarray(0, KIND_WITHIN_BYTES), bytes.subarray(-KIND_WITHIN_BYTES)];
  return ends.some((end) => LIST_KIND.test(latin1Text(end)));
}

/** Returns the string value of the last member with the name `key`, or the empty string if there is no such string. */
function textOf(bytes: Uint8Array, members: readonly MemberSpan[], key: string): string {
  const span = members.findLast((member) => member.key === key);
  if (span === undefined || bytes[span.start] !== 0x22) return '';
  const reading = readJson(bytes.subarray(span.start, span.end));
  return reading.ok && typeof reading.value === 'string' ? reading.value : '';
}

/** Type that a list of one kind specifies for all of its items. */
interface ItemType {
  readonly apiVersion: string;
  readonly kind: string;
}

/**
 * Returns true for `kind: List` and for lists of one kind such as `HTTPRouteList`, which a server returns. An object whose kind ends in
 * `List` is distinguished from a list by its name, because lists have no name.
 */
export function isList(value: JsonValue): value is JsonObject & { readonly items: JsonValue[] } {
  if (!isJsonObject(value)) return false;
  const { kind, items, metadata } = value;
  const named = isJsonObject(metadata) && metadata['name'] !== undefined;
  return typeof kind === 'string' && kind.endsWith('List') && Array.isArray(items) && !named;
}

function isNamed(bytes: Uint8Array, members: readonly MemberSpan[]): boolean {
  const span = members.findLast(({ key }) => key === 'metadata');
  const metadata = span && scanMembers(bytes.subarray(span.start, span.end));
  return metadata?.ok === true && metadata.spans.some(({ key }) => key === 'name');
}

/**
 * Returns the type that items inherit from a list of one kind, because such items may omit apiVersion and kind. Returns undefined if the
 * list specifies no type for its items.
 */
function itemType(kind: string, apiVersion: JsonValue | undefined): ItemType | undefined {
  if (kind === 'List' || typeof apiVersion !== 'string' || apiVersion === '') return undefined;
  return { apiVersion, kind: kind.slice(0, -'List'.length) };
}

/**
 * Returns a list item as a separate document that begins with the type inherited from the list. Members of the item follow the inherited
 * type and therefore override it.
 */
function withType(item: Uint8Array, type: ItemType): Uint8Array {
  const text = JSON.stringify(type);
  const open = item.indexOf(0x7b) + 1;
  const isEmpty = firstByte(item, open, item.length) === 0x7d;
  return concatBytes([utf8Bytes(isEmpty ? text.slice(0, -1) : `${text.slice(0, -1)},`), item.subarray(open)]);
}

/** Category of a document in the result. */
type ListedPlace = 'definitions' | 'policies' | 'objects';
/** Category of a document in a text. Definitions take the place of `composites`, which are CompositeResourceDefinitions of Crossplane. */
type DocumentPlace = ListedPlace | 'composites';

function placeOf(apiVersion: JsonValue | undefined, kind: JsonValue | undefined): DocumentPlace {
  if (kind === 'CustomResourceDefinition' && typeof apiVersion === 'string' && apiVersion.startsWith('apiextensions.k8s.io/'))
    return 'definitions';
  if (isCompositeDefinition(apiVersion, kind)) return 'composites';
  return isPolicyType(apiVersion, kind) ? 'policies' : 'objects';
}
