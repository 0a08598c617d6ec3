import type { JsonValue } from '#go';
import { reportSummary } from './any-of.ts';
import type { NodeCheck } from './check.ts';
import { becauseOfAll } from './schema-walk.ts';
import type { ValidationFinding, SchemaWalk } from './schema-walk.ts';

/**
 * Validates `allOf`: reports the findings of every branch. If a branch is invalid, also reports a finding about the whole value. Source:
 * kube-openapi pkg/validation/validate/schema_props.go.
 */
export function checkAllOf(value: JsonValue, branches: readonly NodeCheck[], walk: SchemaWalk): void {
  let valid = 0;
  const findings: ValidationFinding[] = [];
  for (const branch of branches) {
    const result = walk.isolate(() => branch(value, walk));
    if (result.findings.length === 0) valid += 1;
    findings.push(...result.findings);
    walk.merge(result);
  }
  if (valid === branches.length) return;
  reportSummary(walk, `must validate all the schemas (allOf)${valid === 0 ? '. None validated' : ''}`, becauseOfAll(findings));
}
