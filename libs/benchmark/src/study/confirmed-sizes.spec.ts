import { describe, expect, it } from 'vitest';
import { validateObject } from '#crd';
import { isJsonObject, readJson } from '#go';
import { performCell } from '../cells/perform-cell.ts';
import type { CostFindings } from '../cells/study-cell.ts';
import { KNOWN_RULES } from '../testing/known-rules.ts';
import { sampled } from '../../../../testing/thorough.ts';
import { compiledWidget, SPEC_RULE, STANDING, widgetSubjects } from '../testing/studied-widget.ts';
import type { BudgetEnd, WritePlan } from './study-report.ts';

const COSTS = { kind: 'costs', rule: SPEC_RULE, ms: 1, seed: 1, objects: [], hints: [] } as const;
/** Bounds of lists and maps, and of texts. At these bounds, several known rules exceed a cost limit. */
const [ITEMS, LENGTH] = [800, 12_000];

const BOUNDS: ReadonlyMap<string, number> = new Map([
  ['maxItems', ITEMS],
  ['maxProperties', ITEMS],
  ['maxLength', LENGTH],
]);

/** Returns a schema with other bounds for all lists, maps and texts. */
function widened(schema: object): object {
  const inner = (value: unknown): unknown =>
    typeof value === 'object' && value !== null && !Array.isArray(value) ? widened(value) : value;
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, BOUNDS.get(key) ?? inner(value)]));
}

const studied = (spec: object): CostFindings => performCell(COSTS, widgetSubjects(spec), STANDING);

/** Returns a plan in which the fields of the found size have another size. */
function resized({ fields, old }: WritePlan, { field, together = [], unit }: BudgetEnd, size: number): WritePlan {
  const choice = unit === 'code points of keys' ? { keyLength: size } : { size };
  return { fields: { ...fields, ...Object.fromEntries([field, ...together].map((one) => [one, { ...fields[one], ...choice }])) }, old };
}

/** Returns the verdict of a server on the write of a plan: `accepted`, or the limit that refuses the write. */
function verdictOn(spec: object, worst: WritePlan): string {
  const text = performCell({ kind: 'write', rule: SPEC_RULE, worst }, widgetSubjects(spec), STANDING);
  const reading = readJson(text ?? '');
  if (!reading.ok) throw new Error(reading.error);
  const object = isJsonObject(reading.value) ? reading.value['object'] : undefined;
  if (object === undefined || !isJsonObject(object)) throw new Error('there is no object');
  const verdict = validateObject(compiledWidget(spec), { operation: 'CREATE', body: object, fieldValidation: 'Strict' });
  if ('cancelled' in verdict) throw new Error('nobody cancels');
  if (verdict.accepted) return 'accepted';
  const [error, ...others] = verdict.errors;
  if (others.length > 0) return 'several errors';
  return error?.detail.includes('call cost exceeds limit') === true ? 'call' : (error?.detail ?? '');
}

describe('the smallest size that a server refuses for its cost', () => {
  it.each(sampled(KNOWN_RULES, 3).map(({ name, spec }) => [name, widened(spec)] as const))(
    'is confirmed: a server refuses this size, and accepts the next smaller size: %s',
    (name, spec) => {
      const { budgetEndsAt: end, worst } = studied(spec);
      process.stdout.write(`${name}: ${end === undefined ? 'no size' : `${end.size} ${end.unit} of ${end.field}`}\n`);
      if (end === undefined) expect(worst?.end).toBe('accepted');
      else {
        expect(worst?.end).toBe('call');
        expect(end.alone).toBeUndefined();
        expect(verdictOn(spec, end.plan)).toBe(end.limit);
        expect(verdictOn(spec, resized(end.plan, end, end.size - 1))).toBe('accepted');
      }
    },
  );
});

const STRING = { type: 'string' };

describe('the sizes of other fields, in the smallest write that a server refuses for its cost', () => {
  const unique = (most: number, items: object = STRING) => ({
    type: 'object',
    properties: { a: { type: 'array', maxItems: 900, items } },
    'x-kubernetes-validations': [{ rule: 'self.a.all(x, self.a.exists_one(y, x == y))' }, { rule: `self.a.all(x, x.size() <= ${most})` }],
  });

  it.each<[most: number, alone: true | undefined]>([
    [30, undefined],
    // The search begins with texts of 12 characters, so here it already begins at the limit of the other rule.
    [12, true],
  ])('are as large as other rules allow: %i characters', (most, alone) => {
    const spec = unique(most);
    const { budgetEndsAt: end } = studied(spec);
    if (end === undefined) throw new Error('there is no such size');
    expect([end.field, end.others, end.alone]).toEqual(['spec.a', [{ field: 'spec.a[]', unit: 'code points', size: most }], alone]);
    expect([verdictOn(spec, end.plan), verdictOn(spec, resized(end.plan, end, end.size - 1))]).toEqual(['call', 'accepted']);
  });

  it('are at the bound of the schema', () => {
    const { budgetEndsAt: end } = studied(unique(50, { ...STRING, maxLength: 8 }));
    expect([end?.others, end?.alone]).toEqual([[{ field: 'spec.a[]', unit: 'code points', size: 8 }], undefined]);
  });

  it('fill a request if neither the schema nor other rules limit them', () => {
    const { budgetEndsAt: end } = studied(unique(3_000_000));
    // Four texts of 700,000 characters have 16 pairs, and the comparison of each pair costs 70,000 units.
    expect(end).toMatchObject({ field: 'spec.a', size: 4, others: [{ field: 'spec.a[]', unit: 'code points' }] });
    expect(end?.others?.[0]?.size).toBeGreaterThan(600_000);
  });
});

const LISTENERS = (maxItems: number) => ({
  type: 'object',
  properties: {
    listeners: {
      type: 'array',
      maxItems,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: {
        type: 'object',
        required: ['name', 'port'],
        properties: {
          name: { ...STRING, maxLength: 63, pattern: '^[a-z]([-a-z0-9]*[a-z0-9])?$' },
          port: { type: 'integer', minimum: 1, maximum: 65_535 },
          host: { ...STRING, maxLength: 253 },
        },
      },
    },
  },
  'x-kubernetes-validations': [
    {
      rule: 'self.listeners.all(a, self.listeners.exists_one(b, a.port == b.port && (has(a.host) && has(b.host) ? a.host == b.host : !has(a.host) && !has(b.host))))',
    },
  ],
});
/** Largest number of listeners for which a server accepts all writes. The Go code of Kubernetes gives the same number. */
const LISTENERS_ACCEPTED = 164;

describe('the most expensive contents of list elements', () => {
  it('have an equal first key and a different second key if the rule compares both', () => {
    const { budgetEndsAt, worst } = studied(LISTENERS(64));
    expect(budgetEndsAt).toBeUndefined();
    expect(worst?.plan.fields).toMatchObject({
      'spec.listeners': { size: 64 },
      'spec.listeners[].host': { size: 253, filling: { kind: 'rising' } },
    });
  });

  it('lower a suggested bound at which a server would refuse these contents', () => {
    const suggested = [{ field: 'spec.listeners', unit: 'items', size: 296 }] as const;
    const { heldBounds, costAtSuggested = Infinity } = performCell({ ...COSTS, suggested }, widgetSubjects(LISTENERS(1000)), STANDING);
    expect(heldBounds).toEqual([{ ...suggested[0], size: LISTENERS_ACCEPTED }]);
    expect(costAtSuggested).toBeLessThanOrEqual(1_000_000);
    const low = [{ ...suggested[0], size: 20 }];
    expect(performCell({ ...COSTS, suggested: low }, widgetSubjects(LISTENERS(1000)), STANDING).heldBounds).toEqual(low);
  });

  it('lower suggested bounds of fields inside list elements', () => {
    const names = { type: 'array', items: { ...STRING, maxLength: 100 } };
    const group = { type: 'object', properties: { names } };
    const spec = {
      type: 'object',
      properties: { groups: { type: 'array', maxItems: 1, items: group } },
      'x-kubernetes-validations': [{ rule: 'self.groups.all(g, g.names.all(x, g.names.exists_one(y, x == y)))' }],
    };
    const suggested = [{ field: 'spec.groups[*].names', unit: 'items', size: 512 }] as const;
    const { heldBounds, budgetEndsAt } = performCell({ ...COSTS, suggested }, widgetSubjects(spec), STANDING);
    expect(budgetEndsAt?.field).toBe('spec.groups[].names');
    expect(heldBounds).toEqual([{ ...suggested[0], size: (budgetEndsAt?.size ?? 0) - 1 }]);
  });
});

const one = (field: object, rule: string) => ({ type: 'object', properties: { a: { ...field, 'x-kubernetes-validations': [{ rule }] } } });

describe('the most expensive write', () => {
  const NAMES = { type: 'array', maxItems: 200, items: { ...STRING, maxLength: 100 } };

  it.each<[string, object, number]>([
    // Unsorted texts would end the loop early. Sorted texts cause 199 comparisons of 100 characters, which cost ten units each.
    ['sorted texts', one(NAMES, 'self.all(i, x, i == 0 || self[i-1] < x)'), 3987],
    [
      'sorted texts of a pattern',
      one(
        { ...NAMES, items: { ...STRING, maxLength: 100, pattern: '^[a-z]([-a-z0-9]*[a-z0-9])?$' } },
        'self.all(i, x, i == 0 || self[i-1] < x)',
      ),
      3987,
    ],
    ['different texts', one(NAMES, 'self.all(x, self.exists_one(y, y == x))'), 481_602],
    ['a long version', one({ ...STRING, maxLength: 100 }, 'isSemver(self)'), 11],
    ['a text with five parts', one({ ...STRING, maxLength: 500 }, "self.split(' ').size() == 5"), 103],
  ])('contains %s', (_, spec, cost) => {
    const rule = { version: 'v1', path: 'properties[spec].properties[a].x-kubernetes-validations[0]' };
    const { worst, growsWith } = performCell({ ...COSTS, rule }, widgetSubjects(spec), STANDING);
    expect(worst).toMatchObject({ cost, end: 'accepted' });
    expect(growsWith.length).toBeGreaterThan(0);
  });
});
