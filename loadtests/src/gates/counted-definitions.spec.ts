import { describe, expect, it } from 'vitest';
import { baselineOf } from './baselines.ts';
import { countDefinitions } from './counted-definitions.ts';

const counted = countDefinitions();

describe('the counted steps for validating definitions', () => {
  it('equal the baseline; `npm run loadtest -- baselines` records a new one', () => {
    expect(counted).toEqual(baselineOf('definitions'));
  });

  it('include each of several equal schemas only once', () => {
    const [repeated] = counted;
    if (repeated === undefined) throw new Error('there are cases');
    const { nodes, rules, compiled, minors } = repeated;
    // Ten places have four different rules, and five of them have different descriptions.
    expect(rules).toBe(40);
    expect(compiled).toMatchObject({ parsed: 4, checked: 4, estimated: 4, ruleNodes: 5 });
    expect(compiled.decoded).toBeLessThan(nodes / 2);
    expect(compiled.converted).toBe(compiled.decoded);
    // Versions have three parsers of macros and four sets of prices.
    expect(minors.checked).toBeLessThan(3 * compiled.checked);
    expect(minors.estimated).toBeLessThanOrEqual(4 * compiled.estimated);
    expect(minors.decoded).toBe(compiled.decoded);
    expect(minors.converted).toBe(compiled.converted);
  });

  it('are more if the code does not recognise equal schemas', () => {
    for (const [i, apart] of countDefinitions(true).entries()) {
      const { name, minors } = counted[i] ?? {};
      for (const [figure, times] of [
        ['decoded', 3],
        ['converted', 3],
        ['ruleNodes', 1.5],
      ] as const)
        expect(apart.minors[figure], `${name} ${figure}`).toBeGreaterThan(times * (minors?.[figure] ?? Infinity));
    }
  });
});
