import { Float, newJsonObject } from '#go';
import type { JsonObject, JsonValue } from '#go';

/** Creates an object like the JSON reader of `#kube` does: without a prototype, so that any name can be a key. */
function object(entries: Readonly<Record<string, JsonValue>>): JsonObject {
  return Object.assign(newJsonObject(), entries);
}

/** Object in which every field of {@link RANDOM_SCHEMA} is present and valid. */
export const FITTING_OBJECT: JsonObject = object({
  i: 3,
  j: -2,
  d: 1.5,
  s: 'abc',
  t: 'é👑 long enough to cost more',
  b: true,
  port: 5,
  is: [1, 2, 3],
  ss: ['a', 'x1'],
  names: ['b', 'a'],
  m: object({ a: 1, b: 2, ['__proto__']: 3, constructor: 4 }),
  constructor: 7,
  hasOwnProperty: 'x',
  ['__proto__']: 9,
  when: '2024-02-29T12:00:00.5Z',
  wait: '1h30m',
  raw: '_wAB',
  maybe: ['a', 'b'],
  o: object({ i: 1, s: 'a' }),
  os: [object({ i: 1, s: 'a' }), object({ s: 'b' }), object({ i: 0 })],
});

/**
 * Objects that random expressions are evaluated on. Their fields are valid, absent, empty, or invalid under the schema. Some objects have
 * long lists.
 */
export const RANDOM_OBJECTS: readonly JsonObject[] = [
  object({}),
  FITTING_OBJECT,
  object({
    i: 0,
    j: 0,
    d: new Float(2),
    s: '',
    b: false,
    port: 'x',
    is: [],
    ss: [],
    names: ['b', 'b', 'a'],
    m: object({}),
    o: object({}),
    os: [],
    when: '0001-01-01T00:00:00Z',
    wait: '0s',
    raw: '',
    maybe: [],
  }),
  object({
    i: 9007199254740993n,
    d: 1,
    s: null,
    is: [9007199254740993n],
    m: object({ constructor: 1, a: null }),
    os: [[], null],
    maybe: [null, 'a'],
  }),
  object({ i: 'x', is: 5, o: [], os: [new Float(5), object({ i: new Float(1) })], m: [], when: 'soon', wait: 5, raw: '%', maybe: [1] }),
  object({
    i: -9223372036854775808n,
    j: 9007199254740991,
    is: [3, 1, 3, 9223372036854775807n, 2],
    ss: ['b', '', 'b', 'é', 'a'],
    d: Number.NaN,
    m: object({ hasOwnProperty: 1, toString: 2, ['__proto__']: -1 }),
    os: [object({ i: 2, s: 'z', value: 1 }), object({ i: 1, s: 'y' }), object({ i: 2, s: 'x' })],
    maybe: ['x', null, null],
  }),
  object({
    i: 17,
    is: Array.from({ length: 250 }, (_, i) => i),
    ss: Array.from({ length: 30 }, (_, i) => `s${i % 7}`),
    os: Array.from({ length: 120 }, (_, i) => object({ i, s: `n${i}` })),
    m: object(Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`k${i}`, i]))),
  }),
];
