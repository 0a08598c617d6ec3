import { describe, expect, it } from 'vitest';
import { measuredRule } from './testing/measured-rule.ts';
import { trackerScans } from './tracker-scans.ts';

/**
 * Number of stack entries that cel-go v0.29.2 inspected for each rule. They were counted in a copy of cel-go with a counter in `drop` and
 * `dropArgs`, with 128 elements in each list and map.
 */
const COUNTED: readonly (readonly [rule: string, entries: number])[] = [
  ['self.ints.all(e, e >= 0)', 67_718],
  ['self.ints.exists_one(e, e == 3)', 50_701],
  ['self.ints.map(e, e * 2).size() > 0', 34_569],
  ['self.ints.all(e, e < 3 ? e >= 0 : e > self.n)', 102_150],
  ['self.ints.all(e, e in [1, 2, 3] || e != 7 || self.n < 0)', 119_011],
  ["self.texts.all(s, !(s in ['x', 'y', 'z']))", 67_718],
  ['self.objects.all(o, o.a < o.b)', 51_206],
  ['self.byName.all(k, self.byName[k].a >= 0)', 51_334],
  ['self.ints.all(a, self.ints.exists_one(b, a == b))', 17_272_326],
  ['self.objects.all(o, self.objects.exists_one(p, o.name == p.name))', 8_769_030],
];

describe("the predicted number of stack entries that cel-go's cost tracker inspects", () => {
  it.each(COUNTED)('is within 3 % of the counted number: %s (%i entries)', (rule, entries) => {
    const { checked, readings } = measuredRule(rule, 128);
    expect(trackerScans(checked, readings) / entries).toBeGreaterThan(0.97);
    expect(trackerScans(checked, readings) / entries).toBeLessThan(1.03);
  });

  it('grows with the square of the iterations', () => {
    const at = (size: number): number => {
      const { checked, readings } = measuredRule('self.ints.all(e, e >= 0)', size);
      return trackerScans(checked, readings);
    };
    expect(at(4000) / at(1000)).toBeCloseTo(16, 0);
  });
});
