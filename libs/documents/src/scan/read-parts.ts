import { runInSteps, STEP_BYTES } from './run-in-steps.ts';
import { CutFailure, JSON_MARKS, JsonScan } from './json-scan.ts';

/**
 * Wanted parts of a JSON value. `value` is a small value as a whole, and `bytes` are its unparsed bytes. An object names the wanted members
 * of an object, and a list has the wanted parts of each element.
 */
export type WantedParts = 'value' | 'bytes' | readonly [WantedParts] | { readonly [key: string]: WantedParts };

/** Parts of a JSON value, or the reason why the bytes are not one JSON value. */
export type ReadParts = { readonly ok: true; readonly parts: unknown } | { readonly ok: false; readonly problem: string };

/** Largest size of a part that is parsed as a whole, in bytes. A larger part is left out. */
const MAX_PART_BYTES = 64 * 1024;

/**
 * Reads the wanted parts of a JSON value without building the rest of the value. The bytes are scanned once, in steps between which other
 * work can run. A part that is missing, too large, or of another type than wanted is `undefined`; a part that is null is null. Of a repeated
 * member, the last one counts, as in Go. Of the rest, only brackets and strings are checked.
 */
export async function readParts(bytes: Buffer, wanted: WantedParts): Promise<ReadParts> {
  try {
    return { ok: true, parts: await runInSteps(new PartsScan(bytes).whole(wanted)) };
  } catch (failure) {
    if (failure instanceof CutFailure) return { ok: false, problem: `${failure.message} (byte ${failure.offset})` };
    throw failure;
  }
}

class PartsScan {
  readonly #bytes: Buffer;
  readonly #scan: JsonScan;
  /** Offset at which the scan yields next. */
  #until = STEP_BYTES;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.#scan = new JsonScan(bytes);
  }

  *whole(wanted: WantedParts): Generator<undefined, unknown> {
    yield* this.#space();
    const parts = yield* this.#value(wanted);
    yield* this.#space();
    this.#scan.expectEnd();
    return parts;
  }

  *#value(wanted: WantedParts): Generator<undefined, unknown> {
    const first = this.#bytes[this.#scan.at];
    if (isList(wanted) && first === JSON_MARKS.openList.byte) return yield* this.#elements(wanted[0]);
    if (isObject(wanted) && first === JSON_MARKS.openObject.byte) return yield* this.#members(wanted);
    const start = this.#scan.at;
    while (!this.#scan.skipValue(this.#until)) yield this.#pause();
    const bytes = this.#bytes.subarray(start, this.#scan.at);
    if (wanted === 'bytes') return bytes;
    const value = bytes.length > MAX_PART_BYTES ? undefined : parsed(bytes);
    return wanted === 'value' || value === null ? value : undefined;
  }

  *#elements(wanted: WantedParts): Generator<undefined, unknown[]> {
    const scan = this.#scan;
    const elements: unknown[] = [];
    scan.expect(JSON_MARKS.openList);
    yield* this.#space();
    if (scan.accept(JSON_MARKS.closeList)) return elements;
    for (;;) {
      elements.push(yield* this.#value(wanted));
      yield* this.#space();
      if (scan.accept(JSON_MARKS.closeList)) return elements;
      scan.expect(JSON_MARKS.nextElement);
      yield* this.#space();
    }
  }

  *#members(wanted: Readonly<Record<string, WantedParts>>): Generator<undefined, object> {
    const scan = this.#scan;
    const parts = new Map<string, unknown>();
    scan.expect(JSON_MARKS.openObject);
    yield* this.#space();
    if (scan.accept(JSON_MARKS.closeObject)) return {};
    for (;;) {
      const start = scan.at;
      scan.expectKey();
      while (!scan.skipValue(this.#until)) yield this.#pause();
      const key = scan.keyFrom(start);
      yield* this.#space();
      scan.expect(JSON_MARKS.colon);
      yield* this.#space();
      const part = Object.hasOwn(wanted, key) ? wanted[key] : undefined;
      const value = yield* this.#value(part ?? 'bytes');
      if (part !== undefined) parts.set(key, value);
      yield* this.#space();
      if (scan.accept(JSON_MARKS.closeObject)) return Object.fromEntries(parts);
      scan.expect(JSON_MARKS.nextMember);
      yield* this.#space();
    }
  }

  *#space(): Generator<undefined, void> {
    while (!this.#scan.skipSpace(this.#until)) yield this.#pause();
  }

  #pause(): undefined {
    this.#until = this.#scan.at + STEP_BYTES;
  }
}

const isList = (wanted: WantedParts): wanted is readonly [WantedParts] => Array.isArray(wanted);
const isObject = (wanted: WantedParts): wanted is Readonly<Record<string, WantedParts>> => typeof wanted === 'object' && !isList(wanted);

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString()) as unknown;
  } catch {
    return undefined;
  }
}
