import type { WritePlan } from '../study/study-report.ts';

/** Schema of an object with one rule. */
interface KnownSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, { readonly type: string }>>;
  readonly 'x-kubernetes-validations': readonly { readonly rule: string }[];
}

/** A rule whose cost growth can be derived from its text. */
export interface KnownRule {
  readonly name: string;
  /** Schema of `spec`, which contains the rule. */
  readonly spec: KnownSchema;
  /**
   * Exponents with which the cost is expected to grow, by the field and unit of a size. A size that does not influence the cost has no
   * entry.
   */
  readonly exponents: Readonly<Record<string, number>>;
  /**
   * Fields whose sizes multiply in the cost: if all these fields have the same size, the cost is proportional to its square. Absent if
   * there are no such fields.
   */
  readonly together?: readonly string[];
}

/**
 * Schema of a string. Like the schemas of lists and maps here, it has a small bound. The most expensive writes are therefore small, and a
 * study takes only a second.
 */
const STRING = { type: 'string', maxLength: 1200 };
const INTEGER = { type: 'integer' };
const list = (items: object) => ({ type: 'array', maxItems: 100, items });
const map = (values: object) => ({ type: 'object', maxProperties: 100, additionalProperties: values });
const spec = (properties: KnownSchema['properties'], rule: string): KnownSchema => ({
  type: 'object',
  properties,
  'x-kubernetes-validations': [{ rule }],
});

/**
 * Rules whose cost growth is known. None of them grows like n·log n because no CEL function has such a cost: even `sort` costs n² units.
 */
export const KNOWN_RULES: readonly KnownRule[] = [
  { name: 'constant', spec: spec({ a: INTEGER }, 'self.a < 5'), exponents: {} },
  { name: 'n: a list', spec: spec({ a: list(INTEGER) }, 'self.a.all(x, x < 5)'), exponents: { '.spec.a items': 1 } },
  {
    name: 'n²: all pairs',
    spec: spec({ a: list(INTEGER) }, 'self.a.all(x, self.a.all(y, x <= y + 5))'),
    exponents: { '.spec.a items': 2 },
  },
  { name: 'n²: sort', spec: spec({ a: list(INTEGER) }, 'self.a.sort().size() >= 0'), exponents: { '.spec.a items': 2 } },
  {
    name: 'n³: all triples',
    spec: spec({ a: list(INTEGER) }, 'self.a.all(x, self.a.all(y, self.a.all(z, x <= y + z + 5)))'),
    exponents: { '.spec.a items': 3 },
  },
  {
    name: 'n·m: two lists',
    spec: spec({ a: list(INTEGER), b: list(INTEGER) }, 'self.a.all(x, self.b.all(y, x + y < 100))'),
    exponents: { '.spec.a items': 1, '.spec.b items': 1 },
    together: ['spec.a', 'spec.b'],
  },
  { name: 'n: a text', spec: spec({ a: STRING }, "!self.a.contains('xyz')"), exponents: { '.spec.a code points': 1 } },
  {
    name: 'n·m: texts of a list',
    spec: spec({ a: list(STRING) }, "self.a.all(x, !x.contains('xyz'))"),
    exponents: { '.spec.a items': 1, '.spec.a[] code points': 1 },
  },
  {
    name: 'n·m: a text and one in it',
    spec: spec({ a: STRING, b: STRING }, '!self.a.contains(self.b)'),
    exponents: { '.spec.a code points': 1, '.spec.b code points': 1 },
    together: ['spec.a', 'spec.b'],
  },
  {
    name: 'n·m: a map and its keys',
    spec: spec({ a: map(STRING) }, "self.a.all(k, !k.contains('__'))"),
    exponents: { '.spec.a properties': 1, '.spec.a code points of keys': 1 },
  },
  {
    name: 'n·m: a map and its values',
    spec: spec({ a: map(STRING) }, "self.a.all(k, !self.a[k].contains('__'))"),
    exponents: { '.spec.a properties': 1, '.spec.a{} code points': 1 },
  },
  {
    name: 'n²: pairs of keys',
    spec: spec({ a: map(INTEGER) }, 'self.a.all(k, self.a.all(l, self.a[k] <= self.a[l] + 5))'),
    exponents: { '.spec.a properties': 2 },
  },
];

/**
 * Returns a small write from which a study of the rule starts. Each text begins with the name of its field, so that no two texts are equal.
 */
export function startOf({ spec: { properties } }: KnownRule): WritePlan {
  const fields = Object.entries(properties).map(([name, { type }]) => {
    const filling = type === 'string' && ({ kind: 'literal', value: name } as const);
    return [`spec.${name}`, { present: true, ...(type !== 'integer' && { size: 4 }), ...(filling && { filling }) }] as const;
  });
  return { fields: { spec: { present: true }, ...Object.fromEntries(fields) }, old: 'none' };
}
