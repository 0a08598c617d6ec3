import { compareVerdicts } from './compare-verdicts.ts';
import { comparePolicyVerdicts, isPolicyCase } from './policy/compare-policy-verdicts.ts';
import type { JsonObject } from '#go';
import type { VerdictValue } from './canonical-text.ts';
import type { VerdictComparison } from './compare-verdicts.ts';

/** Compares our verdict on a case with the golden one, as its protocol has it. */
export function compareCase(
  testCase: JsonObject,
  golden: VerdictValue,
  ours: VerdictValue,
  unstable: readonly string[] = [],
): VerdictComparison {
  return (isPolicyCase(testCase) ? comparePolicyVerdicts : compareVerdicts)(golden, ours, unstable);
}
