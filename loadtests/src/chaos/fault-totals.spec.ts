import { expect, it } from 'vitest';
import { FaultTotals } from './fault-totals.ts';

it('fault totals are counted by pairs of kinds in any order, with the time until the first complete evaluation', () => {
  let now = 0;
  const totals = new FaultTotals(() => now);
  totals.add({ end: 'whole' });
  totals.begin(['b', 'a']);
  totals.add({ end: 'refused', code: 503 });
  totals.healed();
  now = 250;
  totals.add({ end: 'whole' });
  now = 900;
  totals.add({ end: 'whole' });
  totals.complain('lost: …');
  totals.begin(['a', 'b']);
  totals.complain('crash: …');
  totals.begin(['a', 'c']);
  totals.add({ end: 'broken' });
  totals.healed();
  totals.over();
  now = 60_000;
  totals.add({ end: 'whole' });
  const nothing = { evaluations: 0, lost: 0, doubled: 0, wrong: 0, other: 0, unavailable: 0, recoveryMs: undefined };
  expect(totals.pairs).toEqual([
    { ...nothing, pair: 'a + b', struck: 2, evaluations: 3, lost: 1, other: 1, unavailable: 1, recoveryMs: 250 },
    { ...nothing, pair: 'a + c', struck: 1, evaluations: 2 },
  ]);
});
