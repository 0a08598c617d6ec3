import type { JsonValue } from '#go';
import type { Change } from '#kube';
import { reportSummary } from './any-of.ts';
import type { NodeCheck } from './check.ts';
import { becauseOfAll } from './schema-walk.ts';
import type { SchemaWalk } from './schema-walk.ts';

/**
 * Validates `oneOf`: unless exactly one branch is valid, reports a finding about the whole value. If no branch is valid, also reports the
 * findings of the best branch. This is the branch with the highest count of matches in kube-openapi's validation result. Source:
 * kube-openapi pkg/validation/validate/schema_props.go.
 */
export function checkOneOf(value: JsonValue, branches: readonly NodeCheck[], walk: SchemaWalk): void {
  let best;
  let first;
  let valid = 0;
  const because: Change[] = [];
  for (const branch of branches) {
    const result = walk.isolate(() => branch(value, walk));
    if (result.findings.length > 0) because.push(...becauseOfAll(result.findings));
    if (result.findings.length === 0) {
      valid += 1;
      best = undefined;
      first ??= result;
    } else if (valid === 0 && (best === undefined || result.matches > best.matches)) {
      best = result;
    }
  }
  if (valid === 1 && first !== undefined) {
    walk.merge(first);
    return;
  }
  const found = valid === 0 ? 'Found none valid' : `Found ${valid} valid alternatives`;
  reportSummary(walk, `must validate one and only one schema (oneOf). ${found}`, valid === 0 ? because : []);
  if (best !== undefined) walk.merge(best);
}
