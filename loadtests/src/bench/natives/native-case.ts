/** Rule with a function that does work in proportion to its data, and large data for it. */
export interface NativeCase {
  /** Ids of the overloads that the rule calls and that this case measures. */
  readonly overloads: readonly string[];
  readonly rule: string;
  /** Fields of `self`, made when the case is measured. */
  readonly value: () => NativeValue;
  /** Kind of data, if several cases measure the same function. */
  readonly data?: string;
}

/** Fields that `self` may have in a rule. */
export interface NativeValue {
  readonly s?: string;
  readonly t?: string;
  readonly l?: readonly string[];
  readonly k?: readonly string[];
  readonly n?: readonly number[];
  readonly o?: readonly number[];
  readonly d?: readonly number[];
  readonly m?: Readonly<Record<string, string>>;
  readonly w?: Readonly<Record<string, string>>;
}

const TEXT = { type: 'string' };

/** Schema of `self` in all cases. */
export const NATIVE_SCHEMA = {
  type: 'object',
  properties: {
    s: TEXT,
    t: TEXT,
    l: { type: 'array', items: TEXT },
    k: { type: 'array', items: TEXT },
    n: { type: 'array', items: { type: 'integer' } },
    o: { type: 'array', items: { type: 'integer' } },
    d: { type: 'array', items: { type: 'number' } },
    m: { type: 'object', additionalProperties: TEXT },
    w: { type: 'object', additionalProperties: TEXT },
  },
};

/** Length of long texts, in UTF-16 code units. */
export const LONG = 1_000_000;
/** Number of elements of long lists. */
export const MANY = 100_000;

/** Returns a text of `length` code units that repeats `part`. */
export const text = (part: string, length = LONG): string =>
  part.repeat(Math.ceil(length / part.length)).slice(0, length - (length % part.length));

export const times = <T>(count: number, one: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => one(i));

/** Returns numbers below `count`, in no order. `count` must not be a multiple of 7919. */
export const scrambled = (count: number): number[] => times(count, (i) => (i * 7919) % count);

/** Parts of texts whose characters have one, two, three or four bytes in UTF-8. */
export const PARTS = { ASCII: 'abcdefgh-j', 'two bytes': 'é', 'three bytes': '字', 'four bytes': '😀', mixed: 'aé字😀b' } as const;

/** Returns one case for each kind of characters. */
export const ofParts = (overloads: readonly string[], rule: string, value: (part: string) => NativeValue): NativeCase[] =>
  Object.entries(PARTS).map(([data, part]) => ({ overloads, rule, value: () => value(part), data }));
