import { compareVerdicts } from './compare-verdicts.ts';
import { comparePolicyVerdicts, isPolicyCase } from './policy/compare-policy-verdicts.ts';
import type { JsonObject } from '#go';
import type { VerdictValue } from './canonical-text.ts';
import type { VerdictComparison } from './compare-verdicts.ts';

/**
 * Compares Assay's verdict on a case with the recorded verdict. Cases about admission policies are compared in all fields, and other cases
 * by the aspects of {@link compareVerdicts}.
 */
export function compareCase(
  testCase: JsonObject,
  golden: VerdictValue,
  ours: VerdictValue,
  unstable: readonly string[] = [],
): VerdictComparison {
  return (isPolicyCase(testCase) ? comparePolicyVerdicts : compareVerdicts)(golden, ours, unstable);
}
