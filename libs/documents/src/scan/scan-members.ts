import { CutFailure, JSON_MARKS, JsonScan } from './json-scan.ts';

/** Position of a value in the scanned bytes. `end` is exclusive. */
export interface ByteSpan {
  readonly start: number;
  readonly end: number;
}

/** Member of an object: the text of its key and the position of its value. */
export interface MemberSpan extends ByteSpan {
  readonly key: string;
}

/**
 * Result of a scan of a JSON object: the positions of the members, or the reason why the bytes could not be scanned. `offset` is the
 * position of the first unexpected byte.
 */
export type MemberScan =
  | { readonly ok: true; readonly spans: MemberSpan[] }
  | { readonly ok: false; readonly problem: string; readonly offset: number };

/**
 * Returns the members of a JSON object, in order. The bytes must contain exactly one object. The scan blocks other work, so the caller must
 * limit the size of the document.
 */
export function scanMembers(bytes: Uint8Array): MemberScan {
  try {
    return { ok: true, spans: membersOf(new JsonScan(bytes)) };
  } catch (failure) {
    if (failure instanceof CutFailure) return { ok: false, problem: failure.message, offset: failure.offset };
    throw failure;
  }
}

function membersOf(scan: JsonScan): MemberSpan[] {
  const spans: MemberSpan[] = [];
  scan.skipSpace(Infinity);
  scan.expect(JSON_MARKS.openObject);
  scan.skipSpace(Infinity);
  if (!scan.accept(JSON_MARKS.closeObject)) {
    do {
      scan.skipSpace(Infinity);
      const key = keyHere(scan);
      const start = scan.at;
      scan.skipValue(Infinity);
      spans.push({ key, start, end: scan.at });
      scan.skipSpace(Infinity);
    } while (anotherMember(scan));
  }
  scan.skipSpace(Infinity);
  scan.expectEnd();
  return spans;
}

/** Reads a key, moves to the start of its value, and returns the text of the key. */
function keyHere(scan: JsonScan): string {
  const start = scan.at;
  scan.expectKey();
  scan.skipValue(Infinity);
  const key = scan.keyFrom(start);
  scan.skipSpace(Infinity);
  scan.expect(JSON_MARKS.colon);
  scan.skipSpace(Infinity);
  return key;
}

function anotherMember(scan: JsonScan): boolean {
  if (scan.accept(JSON_MARKS.closeObject)) return false;
  scan.expect(JSON_MARKS.nextMember);
  return true;
}

/**
 * Returns the positions of at most `most` elements of the list in `bytes` at `span`. Further elements are ignored. Returns undefined if
 * `span` contains no list, or if the scan cannot find the ends of the elements.
 */
export function scanElements(bytes: Uint8Array, span: ByteSpan, most: number): ByteSpan[] | undefined {
  try {
    return elementsOf(new JsonScan(bytes, span.start, span.end), most);
  } catch (failure) {
    if (failure instanceof CutFailure) return undefined;
    throw failure;
  }
}

/** Returns the positions of the JSON objects that follow one another at the start of `bytes`, with nothing but white space between them. */
export function scanObjects(bytes: Uint8Array): ByteSpan[] {
  const spans: ByteSpan[] = [];
  const scan = new JsonScan(bytes);
  try {
    for (;;) {
      scan.skipSpace(Infinity);
      const start = scan.at;
      if (!scan.accept(JSON_MARKS.openObject)) return spans;
      scan.at = start;
      scan.skipValue(Infinity);
      if (!scanMembers(bytes.subarray(start, scan.at)).ok) return spans;
      spans.push({ start, end: scan.at });
    }
  } catch (failure) {
    if (failure instanceof CutFailure) return spans;
    throw failure;
  }
}

function elementsOf(scan: JsonScan, most: number): ByteSpan[] {
  const spans: ByteSpan[] = [];
  scan.expect(JSON_MARKS.openList);
  scan.skipSpace(Infinity);
  if (scan.accept(JSON_MARKS.closeList)) return spans;
  while (spans.length < most) {
    const start = scan.at;
    scan.skipValue(Infinity);
    spans.push({ start, end: scan.at });
    scan.skipSpace(Infinity);
    if (scan.accept(JSON_MARKS.closeList)) break;
    scan.expect(JSON_MARKS.nextElement);
    scan.skipSpace(Infinity);
  }
  return spans;
}
