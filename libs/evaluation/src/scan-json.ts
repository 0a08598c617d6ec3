/**
 * Finds where values begin and end in JSON bytes without building any of them: the API cuts a batch into slices, and a thread parses the
 * slices. Grammar inside a slice is not judged here; brackets and strings are, as far as cutting needs them.
 */

/** Positions in the scanned bytes: `end` is exclusive. */
export interface ByteSpan {
  readonly start: number;
  readonly end: number;
}
/** Where a member of an object stands: its key (text) and the byte span of its value. */
export interface MemberSpan extends ByteSpan {
  readonly key: string;
}

/** Scanning stops at the first byte that makes cutting impossible; `offset` is where. */
export type ScanResult<T> =
  { readonly ok: true; readonly spans: T[] } | { readonly ok: false; readonly problem: string; readonly offset: number };

/** Nesting beyond which no document is cut; Go's decoder stops at the same depth. */
const MAX_DEPTH = 10_000;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

class CutFailure extends Error {
  readonly offset: number;
  constructor(problem: string, offset: number) {
    super(problem);
    this.offset = offset;
  }
}

/** The members of a JSON object, in order; the bytes must hold exactly one object. */
export function scanMembers(bytes: Uint8Array): ScanResult<MemberSpan> {
  return guarded(() => {
    let at = expectByte(bytes, skipSpace(bytes, 0), OPEN_OBJECT, 'the body must be a JSON object');
    const spans: MemberSpan[] = [];
    at = skipSpace(bytes, at);
    if (bytes[at] === CLOSE_OBJECT) return endOfText(bytes, at + 1, spans);
    for (;;) {
      const keyEnd = skipString(bytes, at);
      const key = keyText(bytes, at, keyEnd);
      at = skipSpace(bytes, expectByte(bytes, skipSpace(bytes, keyEnd), COLON, 'a colon is missing after an object key'));
      const end = skipValue(bytes, at);
      spans.push({ key, start: at, end });
      at = skipSpace(bytes, end);
      if (bytes[at] === CLOSE_OBJECT) return endOfText(bytes, at + 1, spans);
      at = skipSpace(bytes, expectByte(bytes, at, COMMA, 'a comma or closing brace is missing after an object member'));
    }
  });
}

/** The elements of a JSON list, in order; the bytes must hold exactly one list. */
export function scanElements(bytes: Uint8Array): ScanResult<ByteSpan> {
  return guarded(() => {
    let at = skipSpace(bytes, expectByte(bytes, skipSpace(bytes, 0), OPEN_LIST, 'a JSON list is expected'));
    const spans: ByteSpan[] = [];
    if (bytes[at] === CLOSE_LIST) return endOfText(bytes, at + 1, spans);
    for (;;) {
      const end = skipValue(bytes, at);
      spans.push({ start: at, end });
      at = skipSpace(bytes, end);
      if (bytes[at] === CLOSE_LIST) return endOfText(bytes, at + 1, spans);
      at = skipSpace(bytes, expectByte(bytes, at, COMMA, 'a comma or closing bracket is missing after a list element'));
    }
  });
}

function guarded<T>(scan: () => T[]): ScanResult<T> {
  try {
    return { ok: true, spans: scan() };
  } catch (failure) {
    if (failure instanceof CutFailure) return { ok: false, problem: failure.message, offset: failure.offset };
    throw failure;
  }
}

function skipSpace(bytes: Uint8Array, at: number): number {
  while (bytes[at] === 0x20 || bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x09) at++;
  return at;
}

function expectByte(bytes: Uint8Array, at: number, byte: number, problem: string): number {
  if (bytes[at] !== byte) throw new CutFailure(at >= bytes.length ? 'unexpected end of JSON input' : problem, at);
  return at + 1;
}

function endOfText<T>(bytes: Uint8Array, at: number, spans: T[]): T[] {
  const end = skipSpace(bytes, at);
  if (end < bytes.length) throw new CutFailure('there is more after the JSON value', end);
  return spans;
}

/** Index after the closing quote of the string that begins at `at`. */
function skipString(bytes: Uint8Array, at: number): number {
  if (bytes[at] !== QUOTE) throw new CutFailure(at >= bytes.length ? 'unexpected end of JSON input' : 'a quoted key is expected', at);
  let end = bytes.indexOf(QUOTE, at + 1);
  for (; end >= 0; end = bytes.indexOf(QUOTE, end + 1)) {
    let slashes = 0;
    while (bytes[end - 1 - slashes] === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return end + 1;
  }
  throw new CutFailure('unexpected end of JSON input', bytes.length);
}

function keyText(bytes: Uint8Array, start: number, end: number): string {
  try {
    return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('utf8')) as string;
  } catch {
    throw new CutFailure('an object key is not a JSON string', start);
  }
}

/** Index after the value that begins at `at`: brackets are matched by kind, strings skipped, anything else runs to the next delimiter. */
function skipValue(bytes: Uint8Array, at: number): number {
  const first = bytes[at];
  if (first === QUOTE) return skipString(bytes, at);
  if (first !== OPEN_LIST && first !== OPEN_OBJECT) return skipWord(bytes, at);
  const open: number[] = [];
  for (;;) {
    const byte = bytes[at];
    if (byte === undefined) throw new CutFailure('unexpected end of JSON input', at);
    if (byte === QUOTE) {
      at = skipString(bytes, at);
      continue;
    }
    at++;
    if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      if (open.push(byte + 2) > MAX_DEPTH) throw new CutFailure('exceeded max depth', at - 1);
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
      if (open.pop() !== byte) throw new CutFailure('a bracket is closed by one of another kind', at - 1);
      if (open.length === 0) return at;
    }
  }
}

function skipWord(bytes: Uint8Array, at: number): number {
  const start = at;
  for (;;) {
    const byte = bytes[at];
    if (byte === undefined || byte === COMMA || byte === CLOSE_LIST || byte === CLOSE_OBJECT || byte <= 0x20) break;
    at++;
  }
  if (at === start) throw new CutFailure(at >= bytes.length ? 'unexpected end of JSON input' : 'a value is missing', at);
  return at;
}
