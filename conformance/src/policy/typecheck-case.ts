import { checkTypes, ObjectSchemas, readValidatingPolicy, serverKinds } from '#policy';
import type { JsonObject } from '#go';
import type { GroupVersionKind } from '#policy';
import { CaseProblem } from '../case-context.ts';
import { objectsOf } from './read-case.ts';
import { filled, kindName } from './verdict-parts.ts';
import type { CaseContext } from '../case-context.ts';
import type { VerdictObject } from '../canonical-text.ts';

/** Built-in groups and versions for which the oracle has schemas. A real server has schemas for all built-in groups and versions. */
const DOCUMENTED: ReadonlySet<string> = new Set(['/v1', 'apps/v1', 'batch/v1', 'discovery.k8s.io/v1']);

/** Computes the verdict on a `typecheck` case: `status.typeChecking` of one policy. */
export function judgeTypecheckCase(testCase: JsonObject, { minor }: CaseContext): VerdictObject {
  const [document, ...others] = objectsOf(testCase, 'policies');
  if (document === undefined || others.length > 0) throw new CaseProblem('typecheck takes one policy');
  const definitions = objectsOf(testCase, 'crds');
  const schemas = new ObjectSchemas(minor, definitions);
  const { warnings, checked, unresolved } = checkTypes(readValidatingPolicy(document), {
    minor,
    kinds: serverKinds(minor, definitions),
    schemaOf: (kind) => (isDocumented(kind, schemas) ? schemas.published(kind) : undefined),
  });
  return {
    expressionWarnings: filled(warnings.map(({ fieldRef, warning }): VerdictObject => ({ fieldRef, warning }))),
    checkedKinds: filled(checked.map(kindName).sort()),
    unresolvedKinds: filled(unresolved.map(kindName).sort()),
  };
}

const isDocumented = (kind: GroupVersionKind, schemas: ObjectSchemas): boolean =>
  schemas.builtIn(kind) === undefined || DOCUMENTED.has(`${kind.group}/${kind.version}`);
