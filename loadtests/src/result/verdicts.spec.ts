import { describe, expect, it } from 'vitest';
import type { Gate, ReportClaim } from './summary.ts';
import { outcomeText, sorted, verdictsText } from './verdicts.ts';

type Verdict = (Gate | ReportClaim)['verdict'];
const of = (...verdicts: Verdict[]): { readonly verdict: Verdict }[] => verdicts.map((verdict) => ({ verdict }));

describe('the verdicts of a load run', () => {
  it.each<[Verdict[], string]>([
    [[], 'there are no gates'],
    [['holds'], '1 of 1 decided gate holds'],
    [['not measured'], 'no gate is decided by this run, 1 is undecided'],
    [['holds', 'holds'], '2 of 2 decided gates hold'],
    [['holds', 'fails'], '1 of 2 decided gates hold'],
    [['holds', 'in part', 'undecided', 'not measured'], '1 of 2 decided gates hold, 2 are undecided'],
    [['undecided', 'not measured'], 'no gate is decided by this run, 2 are undecided'],
  ])('are summed up for the gates %j: %s', (verdicts, text) => {
    expect(verdictsText('gate', of(...verdicts))).toBe(text);
  });

  it('keep their order, and are listed separately if the run does not decide them', () => {
    expect(sorted(of('undecided', 'in part', 'not measured', 'holds', 'fails'))).toEqual({
      held: of('holds'),
      failed: of('in part', 'fails'),
      open: of('undecided', 'not measured'),
    });
  });

  it('are listed after the names of failed experiments, with the causes of the failures', () => {
    const complete = { name: 'a', status: 'complete' as const, gates: [], claims: [] };
    const failed = { ...complete, name: 'b', status: 'failed' as const, why: 'no Redis: connection refused' };
    expect(outcomeText([complete, failed])).toBe(
      '1 of 2 experiments failed: b (no Redis: connection refused). There are no gates. There are no claims.',
    );
    expect(outcomeText([complete])).toBe('There are no gates. There are no claims.');
  });
});
