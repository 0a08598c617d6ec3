import type { StudyClaim, TimeSeries } from '../study/study-report.ts';
import { KEP_FACTOR, kepMs } from '#kube';

/**
 * Times in ms that the cost limits of one call and of one object are meant to allow. Source: k8s.io/apiserver/pkg/apis/cel/config.go
 * `PerCallLimit`, `RuntimeCELCostBudget` (1.37).
 */
const [CALL_MS, OBJECT_MS] = [100, 1000];

/** Measured times of a rule, for comparison with the claims of KEP-2876. */
export interface ClaimedTimes {
  /** Times at growing sizes of a list. Undefined if the field along which the cost grows most steeply is not a list. */
  readonly list: TimeSeries | undefined;
  /** Times for the most expensive write in ms: `ruleMs` for one evaluation of the rule, `writeMs` for the whole write. */
  readonly ruleMs: number | undefined;
  readonly writeMs: number | undefined;
}

/**
 * Compares measured times of a rule with the claims of KEP-2876, and returns each claim with its verdict. The claims are about iterating a
 * list, one evaluation (0.1 s), and all rules in one write request (1 s). The first claim is left out if no times of a list were measured.
 */
export function kepClaims({ list, ruleMs, writeMs }: ClaimedTimes): readonly StudyClaim[] {
  const last = list?.points.at(-1);
  const iterating = last && iterationClaim(last.size, last.ms);
  return [
    ...(iterating ? [iterating] : []),
    withinClaim('one evaluation within 1,000,000 cost units takes about 0.1 s', ruleMs, CALL_MS),
    withinClaim('all rules of a write within 10,000,000 cost units take about 1 s', writeMs, OBJECT_MS),
  ];
}

function iterationClaim(size: number, ms: number): StudyClaim {
  const rawMs = kepMs(size);
  const verdict = ms <= rawMs ? 'holds' : ms <= KEP_FACTOR * rawMs ? 'in part' : 'fails';
  return {
    claim: `iterating ${size} elements takes ${rawMs.toPrecision(2)} ms, and may take ${(KEP_FACTOR * rawMs).toPrecision(2)} ms`,
    found: `${ms.toPrecision(2)} ms`,
    verdict,
  };
}

function withinClaim(claim: string, ms: number | undefined, most: number): StudyClaim {
  if (ms === undefined) return { claim, found: 'no time', verdict: 'not measured' };
  return { claim, found: `${ms.toPrecision(2)} ms`, verdict: ms <= most ? 'holds' : 'fails' };
}
