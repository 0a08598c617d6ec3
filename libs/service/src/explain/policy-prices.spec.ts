import { expect, it } from 'vitest';
import { policyPrices } from './policy-prices.ts';

const run = (policy: string, costs: readonly number[]) => ({
  policy,
  binding: 'b',
  cost: costs.reduce((sum, cost) => sum + cost, 0),
  expressions: costs.map((cost, index) => ({ part: 'validation', index, cost })),
});

it('the costs of policies are added up over requests, and listed with the most expensive policy first', () => {
  const prices = policyPrices([
    { item: 0, admission: { cost: 7, policies: [run('cheap', [2]), run('dear', [1, 4])] } },
    { item: 1, admission: { cost: 100_001, policies: [run('dear', [100_000, 1])] } },
    { item: 2, admission: { cost: 0 } },
  ]);
  expect(prices).toEqual([
    {
      policy: 'dear',
      evaluations: 2,
      cost: 100_006,
      costliest: { item: 1, cost: 100_001 },
      budgetShare: 0.0100001,
      expressions: [
        { part: 'validation', index: 0, evaluations: 2, cost: 100_001, costliest: { item: 1, cost: 100_000 }, limitShare: 0.1 },
        { part: 'validation', index: 1, evaluations: 2, cost: 5, costliest: { item: 0, cost: 4 }, limitShare: 0.000004 },
      ],
    },
    {
      policy: 'cheap',
      evaluations: 1,
      cost: 2,
      costliest: { item: 0, cost: 2 },
      budgetShare: 0.0000002,
      expressions: [{ part: 'validation', index: 0, evaluations: 1, cost: 2, costliest: { item: 0, cost: 2 }, limitShare: 0.000002 }],
    },
  ]);
});
