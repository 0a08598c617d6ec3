import { goQuote } from '#go';
import { invalid } from '#kube';
import type { JsonValue } from '#go';
import type { Change } from '#kube';
import type { NodeCheck } from './check.ts';
import { becauseOfAll } from './schema-walk.ts';
import type { SchemaWalk } from './schema-walk.ts';

/**
 * Adds a validation error about a whole value, for example about `anyOf`. The error text is the name of the value and `sentence`. `because`
 * are the differences because of which some Kubernetes versions do not report it.
 */
export function reportSummary(walk: SchemaWalk, sentence: string, because: readonly Change[] = []): void {
  const text = `${goQuote(walk.name)} ${sentence}`;
  walk.add({ text, name: undefined, toError: (field) => invalid(field, '', text), because: because.length > 0 ? because : undefined });
}

/**
 * Validates `anyOf`: if no branch is valid, reports a finding about the whole value, and the findings of the branch with the most matches.
 * Source: kube-openapi pkg/validation/validate/schema_props.go.
 */
export function checkAnyOf(value: JsonValue, branches: readonly NodeCheck[], walk: SchemaWalk): void {
  let best;
  const because: Change[] = [];
  for (const branch of branches) {
    const result = walk.isolate(() => branch(value, walk));
    if (result.findings.length === 0) {
      walk.merge(result);
      return;
    }
    because.push(...becauseOfAll(result.findings));
    if (best === undefined || result.matches > best.matches) best = result;
  }
  reportSummary(walk, 'must validate at least one schema (anyOf)', because);
  if (best !== undefined) walk.merge(best);
}
