import { describe, expect, it } from 'vitest';
import { checkOptions, definitionText, serverOf } from '#documents';
import { RuleTask } from './rule-task.ts';
import { searchOrder } from './cost-search.ts';

const options = checkOptions({});
if (!options.ok) throw new Error(options.status.message);
const text = definitionText({ bytes: Buffer.from('{}'), notation: 'json' }, serverOf(options.value));
const COSTS = { growsWith: [], isPartial: true } as const;

/** Returns a rule with an estimate. If `isReached` is true, an earlier search began with an object of the user. */
function task(rule: string, totalCost: string, isReached = false): RuleTask {
  const explained = {
    version: 'v1',
    path: rule,
    rule,
    maxCost: totalCost,
    cardinality: '1',
    totalCost,
    usesOldSelf: false,
    factor: 0,
    schemaShare: 0,
    bounds: [],
  };
  const made = new RuleTask({ definition: 'widgets.example.com', source: 'a' }, text, explained);
  if (isReached) made.takeCosts({ ...COSTS, isReached });
  return made;
}

describe('the order of searches', () => {
  it('begins with the rules that the given objects evaluate, and continues with the highest estimate', () => {
    const tasks = [
      task('cheap', '9'),
      task('dear', '18446744073709551615'),
      task('reached', '10', true),
      task('middle', '100'),
      task('both', '99', true),
    ];
    expect(searchOrder(tasks).map(({ key }) => key.path)).toEqual(['both', 'reached', 'dear', 'middle', 'cheap']);
  });
});

describe('the combined findings of several searches', () => {
  const end = (size: number) =>
    ({ field: 'spec.a', unit: 'items', size, limit: 'call', plan: { fields: { 'spec.a': { size } }, old: 'none' } }) as const;
  const found = (...sizes: readonly (number | undefined)[]) => {
    const made = task('rule', '1');
    for (const size of sizes) made.takeCosts({ ...COSTS, ...(size !== undefined && { budgetEndsAt: end(size) }) });
    return made;
  };

  it('keep the smallest size that a server refuses', () => {
    expect(found(400, 165).findings(undefined).budgetEndsAt).toEqual(end(165));
    expect(found(165, 400, undefined).findings(undefined).budgetEndsAt).toEqual(end(165));
    expect(found(165).hints).toEqual([end(165).plan]);
  });

  it('keep the lowest suggested bounds at which a server accepts the most expensive write', () => {
    const held = (size: number) =>
      ({ ...COSTS, heldBounds: [{ field: 'spec.a', unit: 'items', size }], costAtSuggested: 5 * size }) as const;
    const bounds = [{ path: 'spec.a', schemaPath: 'a', keyword: 'maxItems', value: null, suggested: 296 } as const];
    const made = task('rule', '1');
    const suggested = new RuleTask({ definition: 'a', source: 'a' }, text, {
      ...made.explained,
      suggestions: [{ bounds, cost: '9' }],
    });
    const shown = () => suggested.findings(undefined).suggestedBounds.map(({ suggested: bound }) => bound);
    expect(shown()).toEqual([296]);
    suggested.takeCosts(held(164));
    suggested.takeCosts(held(200));
    expect([shown(), suggested.findings(undefined).costAtSuggested]).toEqual([[164], 820]);
    suggested.takeCosts({ ...COSTS, heldBounds: [] });
    expect(shown()).toEqual([]);
  });
});
