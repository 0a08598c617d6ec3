import { describe, expect, it } from 'vitest';
import { seededRandom } from '#benchmark';
import type { SentPairs } from '#cluster';
import { comparedTimes, controlBias, ruleCost, ruleCostText } from './report.ts';
import type { RuleCost, RuleCostReport } from './report.ts';

const CODES = { a: 201, b: 201 };
const random = seededRandom(5);
/** Returns pairs of times in ms around two medians, with noise of up to 2 ms. */
const sentPairs = (a: number, b: number, count = 60): SentPairs => ({
  pairs: Array.from({ length: count }, () => ({ a: a + 2 * random(), b: b + 2 * random() })),
  codes: CODES,
  problem: undefined,
});
const FAMILY = 'comprehensions over lists';
const RULE = {
  version: 'v1',
  path: 'properties[sizes].x-kubernetes-validations[0]',
  rule: 'self.all(s, self.exists(t, t >= s))',
  worst: { cost: 9000, evaluations: 3, bytes: 500 },
  serverTime: { kind: 'predicted', ms: 2, family: FAMILY },
} as const;

function report(rules: readonly RuleCost[]): RuleCostReport {
  return {
    schema: 'assay.dev/rule-costs/v1',
    cluster: 'fake',
    version: 'v1.36.1',
    definition: 'widgets.example.com',
    run: 'r0a1b2c3d',
    seconds: 12,
    isInterrupted: false,
    control: comparedTimes(sentPairs(40, 40), 0),
    rules,
    notMeasured: [],
    definitions: { removed: [], left: [] },
  };
}

describe('the report on the costs of rules', () => {
  it('states the time that a rule adds to a write, beside the cost and the predicted time', () => {
    const cost = ruleCost(RULE, comparedTimes(sentPairs(10, 40), controlBias(sentPairs(40, 40))));
    expect(cost).toMatchObject({ cost: 9000, evaluations: 3, predicted: { ms: 6, family: FAMILY }, codes: { with: 201, without: 201 } });
    expect(cost.added.verdict).toBe('adds');
    expect(cost.added.p50?.ms).toBeCloseTo(30, 0);
    expect(cost.measuredOverPredicted).toBeCloseTo(5, 0);
    expect(cost.withoutMs).toBeCloseTo(11, 0);
    expect(cost.withMs).toBeCloseTo(41, 0);
    const text = ruleCostText(report([cost]));
    expect(text).toMatch(/\nControl +two equal definitions: no difference found/);
    expect(text).toMatch(/\nOff +comprehensions over lists: the server takes 5\.\d times the predicted time/);
  });

  it.each<[words: string, sent: SentPairs, bias: number]>([
    ['no difference found', sentPairs(40, 40), 0],
    ['undecided: writes take under 5 ms', sentPairs(1, 2.5), 0],
    ['undecided: too few pairs', sentPairs(10, 40, 4), 0],
    ['undecided: too much noise', sentPairs(10, 12), 1],
    ['undecided: writes with the rule took less time', sentPairs(40, 10), 0],
  ])('compares no time with the prediction if the result is "%s"', (words, sent, bias) => {
    const cost = ruleCost(RULE, comparedTimes(sent, bias));
    expect(cost.measuredOverPredicted).toBeUndefined();
    const text = ruleCostText(report([cost]));
    expect(text).toContain(words);
    expect(text).not.toMatch(/\nOff /);
  });
});
