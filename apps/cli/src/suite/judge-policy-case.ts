import type { PlacedVerdict } from '../evaluation/evaluate.ts';
import { lacking } from './lacking.ts';
import type { PolicyCase } from './policy-suite.ts';
import type { CaseEnd } from './request-suite.ts';

/**
 * Compares the verdict on a test case of a policy with the expectation of the case. Returns undefined if the case passes, and the first
 * difference otherwise.
 */
export function judgePolicyCase(test: PolicyCase, { outcome, status, warnings, admission, object }: PlacedVerdict): CaseEnd {
  const text = status?.message ?? '';
  if (test.expect === 'allowed' && outcome === 'rejected') return { problem: `denied: ${text}` };
  if (test.expect === 'denied' && outcome === 'accepted') return { problem: 'expected a denial, but the request is allowed' };
  if (test.message !== undefined && !text.includes(test.message))
    return { problem: `expected a denial with ${JSON.stringify(test.message)}, got: ${text}` };
  const problem =
    warningsProblem(test.warnings, warnings) ??
    lacking('audit annotations', test.auditAnnotations ?? {}, admission?.auditAnnotations ?? {}) ??
    (test.mutated && lacking('the stored object', test.mutated, object));
  return problem === undefined ? undefined : { problem };
}

function warningsProblem(expected: readonly string[] | undefined, found: readonly string[]): string | undefined {
  if (expected === undefined) return undefined;
  const agree = expected.length === found.length && expected.every((part, i) => found[i]?.includes(part));
  return agree ? undefined : `expected warnings with ${JSON.stringify(expected)}, got: ${JSON.stringify(found)}`;
}
