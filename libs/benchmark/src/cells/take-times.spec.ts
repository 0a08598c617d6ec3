import { expect, it } from 'vitest';
import { withoutDisturbed } from './take-times.ts';
import type { TimeFindings } from './study-cell.ts';

const claim = (verdict: TimeFindings['claims'][number]['verdict']) => ({ claim: 'a', found: 'b', verdict });
const points = [{ size: 1, ms: 2 }];
const found: TimeFindings = {
  times: [],
  series: [{ engine: 'Assay compiled', exponent: { value: 1, lo: 1, hi: 1 }, points }],
  claims: [claim('holds'), claim('fails'), claim('in part')],
  serverTime: { kind: 'notPredicted', reason: 'c' },
};

it.each([undefined, 0, 0.2])(
  'a study keeps its times if the thread lacked a core for at most 20 % of the time, or for an unknown share (%#)',
  (share) => {
    expect(withoutDisturbed(found, share)).toBe(found);
  },
);

it('a study whose thread lacked a core for longer removes the growth exponent, and marks refuted claims as not measured', () => {
  expect(withoutDisturbed(found, 0.21)).toEqual({
    ...found,
    series: [{ engine: 'Assay compiled', points }],
    claims: [claim('holds'), claim('not measured'), claim('not measured')],
    disturbed: 0.21,
  });
});
