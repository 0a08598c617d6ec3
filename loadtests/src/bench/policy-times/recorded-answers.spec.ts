import { describe, expect, it } from 'vitest';
import { costsOf, judgeCase } from './judged-case.ts';
import { policyCases } from './policy-cases.ts';
import recorded from './recorded-answers.json' with { type: 'json' };

/** Answers of the real plugins of Kubernetes 1.37 to the small cases. `npm run bench -- policies` records them. */
const ANSWERS = new Map(recorded.map((answer) => [answer.id, answer]));

describe('the costs of policy variants equal those recorded from Kubernetes', () => {
  const cases = policyCases('recorded');

  it('for which all cases were recorded', () => {
    expect(cases.map(({ id }) => id)).toEqual([...ANSWERS.keys()]);
  });

  it.each(cases)('in the case $id', (testCase) => {
    const { probe } = judgeCase(testCase);
    expect(costsOf(probe)).toEqual(ANSWERS.get(testCase.id)?.runs);
    expect(probe.refusal === undefined).toBe(ANSWERS.get(testCase.id)?.allowed);
  });
});
