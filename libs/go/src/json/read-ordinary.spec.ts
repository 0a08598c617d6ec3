import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CancellationFlag, Cancelled } from '../cancellation.ts';
import { decodeText } from './decode-text.ts';
import { readJson, readJsonExactly } from './read-json.ts';
import { readOrdinary } from './read-ordinary.ts';
import { scalarList } from './columns.ts';
import { Float, isJsonObject } from './value.ts';
import type { JsonValue } from './value.ts';

/**
 * Number of documents in the differential test. For a long run, set a million or more: `READ_DIFFERENTIAL=1000000 npx vitest run
 * read-ordinary`.
 */
const RUNS = Number(process.env['READ_DIFFERENTIAL'] ?? 5_000);
const SEED = Number(process.env['READ_SEED'] ?? 20_260);
const CORPORA = resolve(import.meta.dirname, '../../../../../shared/corpora/suites');

/** Returns a function that generates pseudo-random numbers below `n`. The sequence is always the same for a seed. */
function generator(seed: number): (n: number) => number {
  let state = seed >>> 0;
  return (n) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % n;
  };
}

const SCALARS = (
  '0 -0 7 -7 10 01 -01 00 123456789 1234567890 -999999999 -2147483648 999999999999999 1000000000000000 9007199254740993 ' +
  '9223372036854775807 9223372036854775808 -9223372036854775808 1.5 -1.5 1.0 -0.0 0.1 1. .5 1e3 1E3 1e400 1e-400 0e0 1.0e2 - -a + NaN ' +
  'true false null tru nul truefalse Infinity 12a 0x1 1_0'
).split(' ');
const STRINGS = [
  '', 'a', 'name', 'x'.repeat(15), 'x'.repeat(16), 'x'.repeat(70), '[', ']', '{"', 'é', '€', '😀', '\u007f', ' ',
  String.raw`\n`, String.raw`\"`, String.raw`\\`, String.raw`\u0061`, String.raw`\ud800`, String.raw`\ud83d\ude00`, String.raw`\x`, '\n', '\t', '\0', '\ud800',
].map((text) => (text === '{"' ? '"{' : `"${text}"`)); // oxfmt-ignore
const KEYS = ['a', 'b', 'c', 'name', '__proto__', 'constructor', 'toString', '', '0', '1', 'é', String.raw`\u0061`, 'key'.repeat(20)];
const SPACES = ['', '', '', '', '', ' ', '\n', '\t', '\r\n', '\u00a0', '\f'];

class Documents {
  readonly #below: (n: number) => number;
  constructor(below: (n: number) => number) {
    this.#below = below;
  }

  /** Returns a document that is mostly valid JSON with unusual spellings. Some documents are truncated or have one changed byte. */
  next(): Uint8Array {
    // Half of the documents are ordinary. Otherwise, the ordinary reader would rarely reach the end of a document.
    this.#hostile = this.#below(2) === 0;
    const bytes = Buffer.from(`${this.#space()}${this.#value(0)}${this.#space()}`);
    switch (this.#below(12)) {
      case 0:
        return bytes.subarray(0, this.#below(bytes.length + 1));
      case 1:
        bytes[this.#below(bytes.length)] = this.#below(256);
        return bytes;
      case 2:
        return Buffer.concat([bytes, Buffer.from(this.#pick([',', ']', '}', '1', '\0', '\ufeff']))]);
      default:
        return bytes;
    }
  }

  #hostile = false;

  #pick<T>(from: readonly T[]): T {
    return from[this.#below(from.length)] as T;
  }

  #space(): string {
    return this.#pick(this.#hostile && this.#below(20) === 0 ? SPACES : SPACES.slice(0, 8));
  }

  #scalar(): string {
    const wild = this.#hostile && this.#below(6) === 0;
    if (this.#below(2) === 0) return this.#pick(wild ? STRINGS : STRINGS.slice(0, 8));
    return wild
      ? this.#pick(SCALARS)
      : this.#pick(['0', '-0', '7', '-12', '1.5', '1.0', '123456789', '1234567890', 'true', 'false', 'null']);
  }

  #value(depth: number): string {
    const kind = this.#below(depth > 4 ? 3 : 8);
    if (kind < 3) return this.#scalar();
    if (kind < 5) return this.#list(depth);
    const parts: string[] = [];
    const keys = this.#hostile ? KEYS : KEYS.slice(0, 10);
    const names = new Set(Array.from({ length: this.#below(5) }, () => this.#pick(keys)));
    if (this.#hostile && this.#below(8) === 0) for (const name of names) parts.push(`"${name}":${this.#value(depth + 1)}`);
    for (const name of names)
      parts.push(`${this.#space()}"${name}"${this.#space()}:${this.#space()}${this.#value(depth + 1)}${this.#space()}`);
    return `{${parts.join(',')}${this.#below(60) === 0 ? ',' : ''}}`;
  }

  #list(depth: number): string {
    const alike = this.#below(3);
    const long = this.#below(12) === 0;
    const length = this.#below(long ? 150 : 6) + (this.#below(1500) === 0 ? 4090 : 0);
    const one = (): string => {
      if (this.#below(40) === 0) return this.#value(depth + 1);
      if (alike === 0) return this.#pick(['0', '1', '-3', '42', '987654321', this.#hostile ? '-0' : '5']);
      return alike === 1 ? this.#pick(STRINGS.slice(0, this.#hostile ? 9 : 8)) : long ? this.#scalar() : this.#value(depth + 1);
    };
    return `[${this.#space()}${Array.from({ length }, () => `${one()}${this.#space()}`).join(`,${this.#space()}`)}]`;
  }
}

/** Checks that the stored {@link ScalarList} of a list (lowest and highest integer or string length) is correct for the list's elements. */
function expectTrueDescriptions(value: JsonValue): void {
  if (Array.isArray(value)) {
    const known = scalarList(value);
    if (known?.kind === 'ints') {
      expect(value.every((item) => Number.isInteger(item))).toBe(true);
      expect([Math.min(...(value as number[])), Math.max(...(value as number[]))]).toEqual([known.min, known.max]);
    } else if (known !== undefined) {
      const lengths = value.map((item) => (typeof item === 'string' ? [...item].length : Number.NaN));
      expect([Math.min(...lengths), Math.max(...lengths)]).toEqual([known.minLength, known.maxLength]);
    }
    for (const item of value) if (typeof item === 'object') expectTrueDescriptions(item);
  } else if (isJsonObject(value)) {
    for (const key of Object.keys(value)) expectTrueDescriptions(value[key] as JsonValue);
  }
}

/** Returns true if two values are equal, including the order of keys, prototypes, signs of zero and holes in lists. */
function same(a: JsonValue, b: JsonValue): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false;
  if (a instanceof Float) return Object.is(a.value, (b as Float).value);
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    for (let i = 0; i < a.length; i++) if (!(i in a) || !same(a[i] as JsonValue, b[i] as JsonValue)) return false;
    return true;
  }
  const keys = Object.keys(a);
  const others = Object.keys(b);
  if (keys.length !== others.length || keys.some((key, i) => key !== others[i])) return false;
  return keys.every((key) => same(a[key] as JsonValue, (b as { [key: string]: JsonValue })[key] as JsonValue));
}

function expectSame(bytes: Uint8Array): 'ordinary' | 'exact' {
  const fast = readJson(bytes);
  const exact = readJsonExactly(bytes);
  if (!fast.ok || !exact.ok) {
    expect(fast).toEqual(exact);
    return 'exact';
  }
  if (!same(fast.value, exact.value)) expect.fail(`read otherwise: ${Buffer.from(bytes).toString()}`);
  expect([fast.duplicates, fast.numberError, fast.replaced.length]).toEqual([exact.duplicates, exact.numberError, exact.replaced.length]);
  expectTrueDescriptions(fast.value);
  const { text, isAscii } = decodeText(bytes);
  return isAscii && readOrdinary(bytes, text, undefined) !== undefined ? 'ordinary' : 'exact';
}

describe('the fast reader of ordinary documents', () => {
  it(`gives the exact reader's result for ${RUNS} documents of seed ${SEED}`, { timeout: 3_600_000 }, () => {
    const documents = new Documents(generator(SEED));
    const read = { ordinary: 0, exact: 0 };
    for (let run = 0; run < RUNS; run++) read[expectSame(documents.next())] += 1;
    // Both readers must have read many documents. Otherwise, the test compares nothing.
    expect(Math.min(read.ordinary, read.exact)).toBeGreaterThan(RUNS / 5);
  });

  it.runIf(existsSync(CORPORA))("gives the exact reader's result for all objects of the corpora", () => {
    let ordinary = 0;
    let lines = 0;
    for (const file of readdirSync(CORPORA).filter((name) => name.endsWith('.jsonl'))) {
      for (const line of readFileSync(resolve(CORPORA, file), 'utf8').split('\n')) {
        if (line === '') continue;
        const initial = (JSON.parse(line) as { initial?: unknown }).initial;
        lines += 1;
        if (expectSame(Buffer.from(JSON.stringify(initial ?? line))) === 'ordinary') ordinary += 1;
      }
    }
    expect(ordinary).toBeGreaterThan(lines / 2);
  });

  it.each(['{"a":1,"a":2}', '["\\ud800"]', '1e3', '1234567890123456', '["é"]', '[1,]', '"a', `${'['.repeat(201)}${']'.repeat(201)}`])(
    'leaves %s to the exact reader',
    (text) => {
      expect(expectSame(Buffer.from(text))).toBe('exact');
    },
  );

  it('reads long lists without holes in the array, whatever follows them', () => {
    for (const end of [']', ',{"a":[1]}]', ',"x"]', ',1.5,[2]]', ',-0]', ' , 3 ]']) {
      for (const count of [63, 64, 4095, 4096, 4097, 20_000]) {
        expectSame(Buffer.from(`{"list":[${'7,'.repeat(count)}123456789${end},"after":[1]}`));
        expectSame(Buffer.from(`[[${'"abc",'.repeat(count)}"long one"${end}]`));
      }
    }
  });

  it('stops between the elements of a long list when it is cancelled', () => {
    const token = new CancellationFlag();
    token.cancel();
    expect(() => readJson(`[${'1,'.repeat(100_000)}1]`, token)).toThrow(Cancelled);
    expect(() => readJson(`[${'"a",'.repeat(100_000)}1]`, token)).toThrow(Cancelled);
    expect(() => readJson(`[${'{"a":1},'.repeat(100_000)}1]`, token)).toThrow(Cancelled);
  });
});
