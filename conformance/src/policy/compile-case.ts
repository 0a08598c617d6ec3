import { minorNumber } from '#kube';
import { checkExpressions, checkHead, checkMutations, readMutatingPolicy, readValidatingPolicy } from '#policy';
import type { ExpressionUse } from '#cel';
import type { JsonObject } from '#go';
import { objectsOf } from './read-case.ts';
import { filled } from './verdict-parts.ts';
import type { Minor } from '#kube';
import type { ExpressionCheck } from '#policy';
import type { CaseContext } from '../case-context.ts';
import type { VerdictObject } from '../canonical-text.ts';

/**
 * Computes the verdict on a `compile` case: the compiler's result for every expression of the policies, once as new expressions and once as
 * stored ones.
 */
export function judgeCompileCase(testCase: JsonObject, { minor }: CaseContext): VerdictObject {
  const compiled = objectsOf(testCase, 'policies').flatMap((document) => {
    const stored = checksOf(document, minor, 'stored');
    return checksOf(document, minor, 'new').map((fresh, i): VerdictObject => {
      const differs = stored[i]?.error !== fresh.error;
      return { ...fresh, storedError: differs ? (stored[i]?.error ?? 'none') : undefined };
    });
  });
  return { compiled: filled(compiled) };
}

/**
 * Returns the compiler's results for the expressions of a policy. For servers before 1.32, mutations are not compiled, because these
 * servers have no mutating policies.
 */
function checksOf(document: JsonObject, minor: Minor, use: ExpressionUse): readonly ExpressionCheck[] {
  if (document['kind'] !== 'MutatingAdmissionPolicy') return checkExpressions(readValidatingPolicy(document), minor, use);
  const policy = readMutatingPolicy(document);
  return minorNumber(minor) < 32 ? checkHead(policy, minor, use).checks : checkMutations(policy, minor, use);
}
