import type { ExpressionUse } from '#cel';
import type { Minor } from '#kube';
import { checkHead, checkOf } from '../validate/compile-checks.ts';
import type { ExpressionCheck } from '../validate/compile-checks.ts';
import { MUTATION_RESULTS } from './compiled-mutating-policy.ts';
import type { MutatingPolicy } from './mutating-policy.ts';

/**
 * Compiles every expression of a mutating policy and returns the results. `use` decides if the expressions count as newly written or as
 * stored. New expressions may use only features that the previous Kubernetes minor version also has.
 */
export function checkMutations(policy: MutatingPolicy, minor: Minor, use: ExpressionUse): readonly ExpressionCheck[] {
  const { compiler, checks } = checkHead(policy, minor, use);
  for (const [i, { patchType, expression }] of policy.mutations.entries()) {
    const field = patchType === 'JSONPatch' ? 'jsonPatch' : 'applyConfiguration';
    const compiled = compiler.mutation('mutation', expression, i, [MUTATION_RESULTS[patchType]]);
    checks.push(checkOf(`spec.mutations[${i}].${field}.expression`, compiled));
  }
  return checks;
}
