import { describe, expect, it } from 'vitest';
import { loneRules, validateObject } from '#crd';
import type { CompiledDefinition } from '#crd';
import { thorough } from '../../../../testing/thorough.ts';
import { performCell } from '../cells/perform-cell.ts';
import { compiledWidget, STANDING, widgetSubjects } from '../testing/studied-widget.ts';
import type { BudgetEnd } from './study-report.ts';

type End = Pick<BudgetEnd, 'field' | 'unit' | 'limit'>;
/**
 * Test case: a rule whose evaluation a cost limit stops, and a function that returns the content of `spec` for a size. The function uses no
 * code of the study.
 */
type Ended = readonly [name: string, spec: object, end: End, content: (size: number) => object];

const INTEGER = { type: 'integer' };
const STRING = { type: 'string' };
const list = (items: object, more: object = {}) => ({ type: 'array', items, ...more });
const rules = (rule: string) => ({ 'x-kubernetes-validations': [{ rule }] });
const object = (properties: object, rule?: string) => ({ type: 'object', properties, ...(rule !== undefined && rules(rule)) });
const times = <Item>(count: number, item: (index: number) => Item): Item[] => Array.from({ length: count }, (_, i) => item(i));

/** Names of slow cases that only the long form of this spec runs. Their searches build millions of characters or elements. */
const SLOW: ReadonlySet<string> = new Set(['a list in the elements of a list', 'a text', 'a map']);

const ENDED: readonly Ended[] = [
  [
    'a list',
    object({ a: list(INTEGER, { maxItems: 500 }) }, 'self.a.all(x, self.a.all(y, x <= y + 5))'),
    { field: 'spec.a', unit: 'items', limit: 'call' },
    (size) => ({ a: times(size, () => 1) }),
  ],
  [
    'a list in the elements of a list',
    object(
      { a: list(object({ b: list(INTEGER, { maxItems: 500 }) }), { maxItems: 1 }) },
      'self.a.all(x, x.b.all(y, x.b.all(z, y <= z + 5)))',
    ),
    { field: 'spec.a[].b', unit: 'items', limit: 'call' },
    (size) => ({ a: [{ b: times(size, () => 1) }] }),
  ],
  [
    'a text',
    object({ a: STRING }, "!self.a.matches('^(b|[c-m]*z){1,40}$')"),
    { field: 'spec.a', unit: 'code points', limit: 'call' },
    (size) => ({ a: 'a'.repeat(size) }),
  ],
  [
    'a map',
    object(
      { a: { type: 'object', maxProperties: 400, additionalProperties: INTEGER } },
      'self.a.all(k, self.a.all(l, self.a[k] <= self.a[l] + 5))',
    ),
    { field: 'spec.a', unit: 'properties', limit: 'call' },
    (size) => ({ a: Object.fromEntries(times(size, (i) => [`x${i}`, 1])) }),
  ],
  [
    'different texts of the largest length',
    object({ a: list({ ...STRING, maxLength: 100 }, { maxItems: 300 }) }, 'self.a.all(x, self.a.exists_one(y, y == x))'),
    { field: 'spec.a', unit: 'items', limit: 'call' },
    (size) => ({ a: times(size, (i) => String(i).padStart(100, '0')) }),
  ],
  [
    'elements with an equal first key and a different second key',
    object(
      { a: list(object({ port: INTEGER, host: { ...STRING, maxLength: 253 } }), { maxItems: 200 }) },
      'self.a.all(x, self.a.exists_one(y, has(x.port) && has(y.port) && x.port == y.port && has(x.host) && has(y.host) && x.host == y.host))',
    ),
    { field: 'spec.a', unit: 'items', limit: 'call' },
    (size) => ({ a: times(size, (i) => ({ port: 80, host: String(i).padStart(253, '0') })) }),
  ],
  [
    "the budget of an object, for a rule at a list's elements",
    object({ a: list(list(INTEGER, { minItems: 50, maxItems: 50, ...rules('self.all(x, self.all(y, x <= y + 5))') }), { maxItems: 700 }) }),
    { field: 'spec.a', unit: 'items', limit: 'object' },
    (size) => ({ a: times(size, () => times(50, () => 1)) }),
  ],
];

/** Returns the path of the only rule of a definition's only version. */
function rulePath(spec: object): string {
  const served = compiledWidget(spec).serve('v1');
  if (served?.ok !== true) throw new Error('not served');
  const [only] = loneRules(served.version);
  return only?.path ?? '';
}

/**
 * Computes the verdict on a write as a server does. Returns the cost limit that ended the validation, or undefined if no limit ended it.
 */
function endOf(definition: CompiledDefinition, content: object): BudgetEnd['limit'] | undefined {
  const body = JSON.stringify({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'a', namespace: 'a' }, spec: content });
  const verdict = validateObject(definition, { operation: 'CREATE', body, fieldValidation: 'Strict' });
  if ('cancelled' in verdict) throw new Error('nobody cancels');
  if (verdict.accepted) return undefined;
  const message = verdict.status.message ?? '';
  if (message.includes('call cost exceeds limit')) return 'call';
  if (message.includes('out of cost budget')) return 'object';
  throw new Error(message);
}

describe('the smallest size at which a cost limit stops a rule', () => {
  it.each(thorough ? ENDED : ENDED.filter(([name]) => !SLOW.has(name)))('is exact to a single element: %s', (_, spec, end, content) => {
    const rule = { version: 'v1', path: rulePath(spec) };
    const cell = { kind: 'costs', rule, ms: 1, seed: 1, objects: [], hints: [] } as const;
    const { budgetEndsAt } = performCell(cell, widgetSubjects(spec), STANDING);
    expect(budgetEndsAt).toMatchObject(end);
    const size = budgetEndsAt?.size ?? 0;
    process.stdout.write(
      `${end.field}: ended by the limit of ${end.limit === 'call' ? 'a call' : 'an object'} from ${size} ${end.unit} on\n`,
    );
    const definition = compiledWidget(spec);
    expect([size - 1, size].map((n) => endOf(definition, content(n)))).toEqual([undefined, end.limit]);
  });
});
