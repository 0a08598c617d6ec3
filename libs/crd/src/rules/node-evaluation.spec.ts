import { describe, expect, it } from 'vitest';
import { widget, widgetDefinition } from '../testing/definition-fixture.ts';
import { objectLines } from '../testing/outcomes.ts';

const INTEGER = { type: 'integer' };
const STRING = { type: 'string' };
const rules = (...list: object[]) => ({ 'x-kubernetes-validations': list });
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
/** Schema with two declared fields, `size` and `a`. The rule of `size` requires a value below 5. */
const SMALL = object({ size: { ...INTEGER, ...rules({ rule: 'self < 5' }) }, a: STRING });

// The expected lines come from the oracle: the Go code of Kubernetes 1.37.
describe('values that an update may leave unchanged', () => {
  it.each<[string, object, unknown, unknown, string[]]>([
    [
      'a value that a rule refuses',
      SMALL,
      { size: 9, a: 'y' },
      { size: 9, a: 'x' },
      ['stores {"metadata":{"generation":2},"spec":{"a":"y","size":9}}', 'warning: spec.size: Invalid value: 9: failed rule: self < 5'],
    ],
    ['not another value that it refuses', SMALL, { size: 8 }, { size: 9 }, ['spec.size: Invalid value: 8: failed rule: self < 5']],
    [
      'not what a rule about the change refuses',
      object({ size: { ...INTEGER, ...rules({ rule: 'self > oldSelf' }) } }),
      { size: 9 },
      { size: 9 },
      ['spec.size: Invalid value: 9: failed rule: self > oldSelf'],
    ],
    [
      'not what an optional rule about the change refuses',
      object({ size: { ...INTEGER, ...rules({ rule: 'oldSelf.hasValue() && self > oldSelf.value()', optionalOldSelf: true }) } }),
      { size: 9 },
      { size: 9 },
      ['spec.size: Invalid value: 9: failed rule: oldSelf.hasValue() && self > oldSelf.value()'],
    ],
    [
      'what stands in an unchanged parent',
      object({ in: SMALL, a: STRING }),
      { in: { size: 9 }, a: 'y' },
      { in: { size: 9 }, a: 'x' },
      [
        'stores {"metadata":{"generation":2},"spec":{"a":"y","in":{"size":9}}}',
        'warning: spec.in.size: Invalid value: 9: failed rule: self < 5',
      ],
    ],
    [
      'a whole that a rule refuses, unchanged',
      object({ a: STRING }, rules({ rule: 'self.a == "x"' })),
      { a: 'y' },
      { a: 'y' },
      ['stores {"metadata":{"generation":1},"spec":{"a":"y"}}', 'warning: spec: Invalid value: failed rule: self.a == "x"'],
    ],
    [
      'not a whole of which a part changed',
      object({ a: STRING, b: STRING }, rules({ rule: 'self.a == "x"' })),
      { a: 'y', b: '2' },
      { a: 'y', b: '1' },
      ['spec: Invalid value: failed rule: self.a == "x"'],
    ],
    [
      'items of a map list, by key',
      {
        type: 'array',
        items: object({ k: STRING, n: { ...INTEGER, ...rules({ rule: 'self < 5' }) } }, { required: ['k'] }),
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['k'],
      },
      [{ k: 'b' }, { k: 'a', n: 9 }],
      [{ k: 'a', n: 9 }],
      [
        'stores {"metadata":{"generation":2},"spec":[{"k":"b"},{"k":"a","n":9}]}',
        'warning: spec[1].n: Invalid value: 9: failed rule: self < 5',
      ],
    ],
    [
      'not items of a list, by index',
      { type: 'array', items: object({ n: { ...INTEGER, ...rules({ rule: 'self < 5' }) } }) },
      [{ n: 9 }, { n: 1 }],
      [{ n: 9 }],
      ['spec[0].n: Invalid value: 9: failed rule: self < 5'],
    ],
    [
      'a value below its minimum',
      object({ size: { ...INTEGER, minimum: 5 }, a: STRING }),
      { size: 1, a: 'y' },
      { size: 1, a: 'x' },
      ['stores {"metadata":{"generation":2},"spec":{"a":"y","size":1}}'],
    ],
    [
      'not a field that it lacks',
      object({ a: STRING, b: STRING }, { required: ['b'] }),
      { a: 'y' },
      { a: 'x' },
      ['spec.b: Required value'],
    ],
    [
      'a lack of which nothing changed',
      object({ in: object({ a: STRING, b: STRING }, { required: ['b'] }), c: STRING }),
      { in: { a: 'x' }, c: 'y' },
      { in: { a: 'x' }, c: 'x' },
      ['stores {"metadata":{"generation":2},"spec":{"c":"y","in":{"a":"x"}}}'],
    ],
    [
      'a pattern',
      object({ a: { ...STRING, pattern: '^b' }, c: STRING }),
      { a: 'a', c: 'y' },
      { a: 'a', c: 'x' },
      ['stores {"metadata":{"generation":2},"spec":{"a":"a","c":"y"}}'],
    ],
    [
      'a rule about an old value that is gone',
      object({ size: { ...INTEGER, ...rules({ rule: 'self > oldSelf' }) } }),
      { size: 1 },
      {},
      ['stores {"metadata":{"generation":2},"spec":{"size":1}}'],
    ],
  ])("get the server's verdict: %s", (_, schema, spec, before, lines) => {
    expect(objectLines(widgetDefinition(schema), { body: widget(spec), old: widget(before) })).toEqual(lines);
  });
});

describe('a rule that is false for an object', () => {
  const refused = (rule: object, more: object = {}) => ({ type: 'string', ...rules({ rule: 'self == "x"', ...rule }), ...more });
  it.each<[string, object, unknown, string[]]>([
    ['names itself', refused({}), 'a', ['spec: Invalid value: "a": failed rule: self == "x"']],
    ['has a message', refused({ message: ' too bad ' }), 'a', ['spec: Invalid value: "a": too bad']],
    ['evaluates its message', refused({ messageExpression: '"not " + self' }), 'a', ['spec: Invalid value: "a": not a']],
    [
      'falls back on its message where that is empty',
      refused({ messageExpression: '""', message: 'm' }),
      'a',
      ['spec: Invalid value: "a": m'],
    ],
    [
      'falls back where that has two lines',
      refused({ messageExpression: '"a\\nb"' }),
      'a',
      ['spec: Invalid value: "a": failed rule: self == "x"'],
    ],
    ['falls back where that fails', refused({ messageExpression: 'self[1]', message: 'm' }), 'a', ['spec: Invalid value: "a": m']],
    ['is invalid', refused({ reason: 'FieldValueInvalid' }), 'a', ['spec: Invalid value: "a": failed rule: self == "x"']],
    ['is forbidden', refused({ reason: 'FieldValueForbidden' }), 'a', ['spec: Forbidden: failed rule: self == "x"']],
    ['is required', refused({ reason: 'FieldValueRequired', message: 'm' }), 'a', ['spec: Required value: m']],
    ['is a duplicate', refused({ reason: 'FieldValueDuplicate' }), 'a', ['spec: Duplicate value: "a"']],
    [
      'names a field',
      object({ a: STRING }, rules({ rule: 'self.a == "x"', fieldPath: '.a' })),
      { a: 'a' },
      ['spec.a: Invalid value: failed rule: self.a == "x"'],
    ],
    [
      'names a field that is not there',
      object({ a: STRING, b: STRING }, rules({ rule: 'has(self.b)', fieldPath: '.b', reason: 'FieldValueRequired' })),
      { a: 'a' },
      ['spec.b: Required value: failed rule: has(self.b)'],
    ],
    [
      'fails',
      object({ a: STRING }, rules({ rule: 'self.a == "x"' })),
      {},
      ['spec: Invalid value: "object": no such key: a evaluating rule: self.a == "x"'],
    ],
    [
      'fails, with a message',
      { type: 'integer', ...rules({ rule: '1 / self > 0', message: 'm' }) },
      0,
      ['spec: Invalid value: "integer": division by zero evaluating rule: m'],
    ],
    [
      'is one of two',
      { type: 'integer', ...rules({ rule: 'self > 1' }, { rule: 'self > 2' }) },
      0,
      ['spec: Invalid value: 0: failed rule: self > 1', 'spec: Invalid value: 0: failed rule: self > 2'],
    ],
    ['stands in allOf', { type: 'integer', allOf: [rules({ rule: 'self > 1' })] }, 0, ['stores {"metadata":{"generation":1},"spec":0}']],
    [
      'stands on entries',
      { type: 'object', additionalProperties: { ...INTEGER, ...rules({ rule: 'self > 1' }) } },
      { 'a.b': 0 },
      ['spec[a.b]: Invalid value: 0: failed rule: self > 1'],
    ],
    [
      'stands on items',
      { type: 'array', items: { ...INTEGER, ...rules({ rule: 'self > 1' }) } },
      [2, 0],
      ['spec[1]: Invalid value: 0: failed rule: self > 1'],
    ],
    [
      'waits for the schema',
      object({ a: { ...STRING, ...rules({ rule: 'self == "x"' }) }, b: INTEGER }),
      { a: 'a', b: 'no' },
      [
        '<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
        'spec.b: Invalid value: "string": spec.b in body must be of type integer: "string"',
      ],
    ],
    [
      'does not wait for a bound',
      object({ a: { ...STRING, ...rules({ rule: 'self == "x"' }) }, b: { ...INTEGER, minimum: 3 } }),
      { a: 'a', b: 1 },
      [
        'spec.a: Invalid value: "a": failed rule: self == "x"',
        'spec.b: Invalid value: 1: spec.b in body should be greater than or equal to 3',
      ],
    ],
  ])('%s', (_, schema, spec, lines) => {
    expect(objectLines(widgetDefinition(schema), { body: widget(spec) })).toEqual(lines);
  });
});

describe('a cost limit', () => {
  // Each of the two rules costs 3 units, and the message expression costs 1 unit.
  const two = { type: 'integer', ...rules({ rule: 'self > 1' }, { rule: 'self > 2', messageExpression: '"small"' }) };
  it.each([
    [9, ['spec: Invalid value: 2: small']],
    [5, ['spec: Invalid value: 2: small']],
    [4, ['spec: Invalid value: 2: small']],
    [3, ['spec: Invalid value: "integer": validation failed due to running out of cost budget, no further validation rules will be run']],
    [2, ['spec: Invalid value: "integer": validation failed due to running out of cost budget, no further validation rules will be run']],
    [0, ['spec: Invalid value: "integer": validation failed due to running out of cost budget, no further validation rules will be run']],
  ])('for the whole object, of %i units', (budget, lines) => {
    expect(objectLines(widgetDefinition(two), { body: widget(2) }, { budget })).toEqual(lines);
  });

  it.each([
    [4, ['spec: Invalid value: 2: small']],
    [3, ['spec: Invalid value: 2: small']],
    [2, ['spec: Invalid value: 2: small']],
    [
      1,
      [
        `spec: Invalid value: "integer": 'operation cancelled: actual cost limit exceeded': no further validation rules will be run due to call cost exceeds limit for rule: self > 1`,
      ],
    ],
  ])('for each evaluation, of %i units', (costLimit, lines) => {
    expect(objectLines(widgetDefinition(two), { body: widget(2) }, { costLimit })).toEqual(lines);
  });
});
