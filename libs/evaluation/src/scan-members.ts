import { CutFailure, JSON_MARKS, JsonScan } from './json-scan.ts';

/** The place of a value in the scanned bytes: `end` is exclusive. */
export interface ByteSpan {
  readonly start: number;
  readonly end: number;
}

/** A member of an object: its key (text) and the place of its value. */
export interface MemberSpan extends ByteSpan {
  readonly key: string;
}

/** Scanning stops at the first byte that makes cutting impossible; `offset` is where. */
export type MemberScan =
  { readonly ok: true; readonly spans: MemberSpan[] } | { readonly ok: false; readonly problem: string; readonly offset: number };

/** Returns the members of a JSON object, in order; the bytes must hold exactly one object. Done at once: for documents whose size was checked. */
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

/** Moves from a key to its value. */
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

/** Returns the elements of the list in `bytes` at `span`, at most so many; undefined if there is no list that can be cut. */
export function scanElements(bytes: Uint8Array, span: ByteSpan, most: number): ByteSpan[] | undefined {
  try {
    return elementsOf(new JsonScan(bytes, span.start, span.end), most);
  } catch (failure) {
    if (failure instanceof CutFailure) return undefined;
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
