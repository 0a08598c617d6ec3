import { describe, expect, it } from 'vitest';
import { MEASURED_MODEL } from './measured-models.ts';
import { predictServerTime, workTime } from './predict-server-time.ts';
import { serverWork } from './server-work.ts';
import type { ServerModel } from './predict-server-time.ts';
import type { ServerWork } from './server-work.ts';
import { measuredRule } from './testing/measured-rule.ts';

function workOf(rule: string, size: number): ServerWork {
  const { checked, readings } = measuredRule(rule, size);
  return serverWork(checked, readings);
}

describe('the predicted work of a server for a rule', () => {
  it('includes each read of a field, and the properties that a server copies for the read', () => {
    // `self` has 6 properties. They are copied once when `self` is wrapped, and twice for the field.
    expect(workOf('self.n < 0', 1)).toEqual({
      family: 'fields and operators',
      amounts: { operator: 1, field: 1, name: 1, property: 18, evaluation: 1 },
    });
  });

  it('includes all elements of a range, even if the loop ends early', () => {
    const { amounts } = workOf('self.ints.exists(e, e == 0)', 50);
    expect(amounts['element']).toBe(50);
    expect(amounts['iteration']).toBeLessThan(3);
  });

  it('counts the cost units of a call above 1, but none for the length of a pattern', () => {
    expect(workOf("self.text.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$')", 1).amounts).toMatchObject({ matches_string: 1 });
    expect(workOf("self.texts.join(',').size() > 0", 100).amounts['units of join']).toBeGreaterThan(20);
  });

  it.each([
    ['self.ints.all(e, e > 0)', 'comprehensions over lists'],
    ['self.byName.all(k, self.byName[k].a > 0)', 'comprehensions over maps'],
    ['self.ints.all(a, self.ints.all(b, a <= b))', 'nested comprehensions'],
    ["self.texts.all(s, s.matches('a'))", 'patterns'],
    ["self.text.contains('a')", 'search of texts'],
    ["self.text.split('a').size() > 1", 'building of texts'],
    ["quantity(self.text).isGreaterThan(quantity('1'))", 'library values'],
    ['self.ints.sum() > 3', 'list functions'],
    ['self.n in self.ints', 'membership'],
    ["self.?text.orValue('') != ''", 'optionals'],
    ['sets.contains(self.ints, [1])', 'sets'],
  ])('%s belongs to the family "%s"', (rule, family) => {
    expect(workOf(rule, 2).family).toBe(family);
  });
});

describe('the predicted time of a server', () => {
  const model: ServerModel = {
    families: ['fields and operators'],
    nanoseconds: { evaluation: 1000, field: 200, name: 0, property: 100, operator: 50 },
  };

  it('is the sum of the times of all steps', () => {
    expect(predictServerTime(workOf('self.n < 0', 1), model)).toEqual({ kind: 'predicted', ms: 0.003_05, family: 'fields and operators' });
  });

  it('is absent if the rule belongs to a family without predictions, or has a step of unknown time', () => {
    expect(predictServerTime(workOf('self.ints.all(e, e > 0)', 3), model)).toMatchObject({ kind: 'notPredicted' });
    const unknown = predictServerTime(workOf('self.ints == self.ints', 3), model);
    expect(unknown).toEqual({ kind: 'notPredicted', reason: 'no time is known for equality of lists' });
  });

  it('grows quadratically with a long list in the measured model', () => {
    const at = (size: number): number => Number(workTime(workOf('self.ints.all(e, e >= 0)', size), MEASURED_MODEL.nanoseconds));
    expect(at(8000) / at(4000)).toBeGreaterThan(3);
    // 1,000 elements take about 2 ms.
    expect(at(1000) / 1e6).toBeGreaterThan(0.5);
    expect(at(1000) / 1e6).toBeLessThan(5);
  });
});
