import type { NodeCheck, SchemaWalk, ValidationFinding } from '../object/openapi/schema-walk.ts';
import { EVERY_KIND, KINDS } from '../object/openapi/kind.ts';
import type { JsonValue } from '#go';
import type { SchemaProps } from '../schema/schema-props.ts';
import { SCHEMA, SCHEMAS } from './forms/schema-forms.ts';
import type { CheckedNode, Keyword, KeywordFamily, ValidationStep } from './keyword.ts';
import { exactChange } from './form.ts';
import { becauseOfAll } from '../object/openapi/schema-walk.ts';
import type { Change } from '#kube';
import { goQuote } from '#go';
import { invalid } from '#kube';

/** Keywords that combine several schemas for the same value, or that forbid a schema. */
export interface Junctors {
  readonly allOf: readonly SchemaProps[];
  readonly oneOf: readonly SchemaProps[];
  readonly anyOf: readonly SchemaProps[];
  readonly not: SchemaProps | undefined;
}

declare module '../schema/schema-props.ts' {
  interface SchemaProps extends Junctors {}
}

const OF_ALL = { nesting: 'allowed', appliesTo: EVERY_KIND.filter((kind) => kind !== KINDS.null), fastPaths: {} } as const;

function branches(name: string, position: number, doc: string): Keyword<readonly SchemaProps[]> {
  return {
    ...OF_ALL,
    name,
    position,
    form: SCHEMAS,
    change: exactChange(`${name} changed`, { loosenedByRemoval: true }),
    docs: { doc, value: 'list' },
  };
}

/** Declaration of the keywords in {@link Junctors}. Source: kube-openapi pkg/validation/validate/schema_props.go. */
export const junctors: KeywordFamily<Junctors> = {
  keywords: {
    allOf: branches('allOf', 25, 'Schemas that the value must all satisfy.'),
    oneOf: branches('oneOf', 26, 'Schemas of which the value must satisfy exactly one.'),
    anyOf: branches('anyOf', 27, 'Schemas of which the value must satisfy at least one.'),
    not: {
      ...OF_ALL,
      name: 'not',
      position: 28,
      form: SCHEMA,
      change: exactChange('not changed', { loosenedByRemoval: true }),
      docs: { doc: 'A schema that the value must not satisfy.', value: 'map' },
    },
  },
  validator: { appliesTo: OF_ALL.appliesTo, matches: () => 2, steps },
};

type BranchesCheck = (value: JsonValue, branches: readonly NodeCheck[], walk: SchemaWalk) => void;

function steps({ props: { anyOf, oneOf, allOf, not }, compile }: CheckedNode): readonly ValidationStep[] {
  const found: ValidationStep[] = [];
  const add = (schemas: readonly SchemaProps[], check: BranchesCheck): void => {
    if (schemas.length === 0) return;
    const checks = schemas.map(compile);
    found.push((value, walk) => check(value, checks, walk));
  };
  add(anyOf, checkAnyOf);
  add(oneOf, checkOneOf);
  add(allOf, checkAllOf);
  if (not !== undefined) {
    const branch = compile(not);
    found.push((value, walk) => checkNot(value, branch, walk));
  }
  return found;
}

/** Validates `not`: reports a finding about the whole value if the value meets the schema `branch`. */
function checkNot(value: JsonValue, branch: NodeCheck, walk: SchemaWalk): void {
  if (walk.isolate(() => branch(value, walk)).findings.length === 0) reportSummary(walk, 'must not validate the schema (not)');
}

/**
 * Validates `allOf`: reports the findings of every branch. If a branch is invalid, also reports a finding about the whole value. Source:
 * kube-openapi pkg/validation/validate/schema_props.go.
 */
function checkAllOf(value: JsonValue, branches: readonly NodeCheck[], walk: SchemaWalk): void {
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

/**
 * Validates `oneOf`: unless exactly one branch is valid, reports a finding about the whole value. If no branch is valid, also reports the
 * findings of the best branch. This is the branch with the highest count of matches in kube-openapi's validation result. Source:
 * kube-openapi pkg/validation/validate/schema_props.go.
 */
function checkOneOf(value: JsonValue, branches: readonly NodeCheck[], walk: SchemaWalk): void {
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

/**
 * Adds a validation error about a whole value, for example about `anyOf`. The error text is the name of the value and `sentence`. `because`
 * are the differences because of which some Kubernetes versions do not report it.
 */
function reportSummary(walk: SchemaWalk, sentence: string, because: readonly Change[] = []): void {
  const text = `${goQuote(walk.name)} ${sentence}`;
  walk.add({ text, name: undefined, toError: (field) => invalid(field, '', text), because: because.length > 0 ? because : undefined });
}

/**
 * Validates `anyOf`: if no branch is valid, reports a finding about the whole value, and the findings of the branch with the most matches.
 * Source: kube-openapi pkg/validation/validate/schema_props.go.
 */
function checkAnyOf(value: JsonValue, branches: readonly NodeCheck[], walk: SchemaWalk): void {
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
