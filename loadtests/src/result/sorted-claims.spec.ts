import { describe, expect, it } from 'vitest';
import { failedText } from './failed-experiments.ts';
import { claimsText, sortClaims } from './sorted-claims.ts';
import type { ReportClaim } from './summary.ts';

const of = (...verdicts: ReportClaim['verdict'][]): Pick<ReportClaim, 'verdict'>[] => verdicts.map((verdict) => ({ verdict }));

describe('claims of a run', () => {
  it('are counted apart if the run does not decide them', () => {
    expect(claimsText(of('holds', 'fails', 'undecided', 'undecided', 'not measured'))).toBe(
      '1 of 2 decided claims hold, 2 are undecided, 1 was not measured',
    );
    expect(claimsText(of('undecided', 'not measured', 'not measured'))).toBe(
      'no claim is decided by this run, 1 is undecided, 2 were not measured',
    );
    expect(claimsText([])).toBe('there are no claims');
  });

  it('keep their order', () => {
    const claims = of('undecided', 'in part', 'not measured', 'holds');
    expect(sortClaims(claims)).toEqual({ decided: of('in part', 'holds'), open: of('undecided', 'not measured') });
  });
});

describe('experiments that failed', () => {
  it('are named with their causes', () => {
    const complete = { name: 'a', status: 'complete' } as const;
    const failed = { name: 'b', status: 'failed', why: 'no Redis: connection refused' } as const;
    expect(failedText([complete, failed])).toBe('1 of 2 experiments failed: b (no Redis: connection refused)');
    expect(failedText([complete])).toBeUndefined();
  });
});
