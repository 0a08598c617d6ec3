import { checkAllOf } from '../object/openapi/all-of.ts';
import { checkAnyOf } from '../object/openapi/any-of.ts';
import type { NodeCheck } from '../object/openapi/check.ts';
import { EVERY_KIND, KINDS } from '../object/openapi/kind.ts';
import { checkNot } from '../object/openapi/not.ts';
import { checkOneOf } from '../object/openapi/one-of.ts';
import type { SchemaWalk } from '../object/openapi/schema-walk.ts';
import type { JsonValue } from '#go';
import type { SchemaProps } from '../schema/schema-props.ts';
import { SCHEMA, SCHEMAS } from './forms/schema-forms.ts';
import type { CheckedNode, Keyword, KeywordFamily, ValidationStep } from './keyword.ts';
import { exactChange } from './shapes.ts';

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
  return { ...OF_ALL, name, position, form: SCHEMAS, change: exactChange(`${name} changed`, true), docs: { doc, value: 'list' } };
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
      change: exactChange('not changed', true),
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
