import { js } from '#cel';
import type { JsonValue } from '#go';
import { KINDS } from '../object/openapi/kind.ts';
import { checkMin, checkMax, sizeBound } from './sizes.ts';
import type { SchemaOrSchemas } from '../schema/schema-props.ts';
import { ITEMS } from './forms/schema-forms.ts';
import { FLAG } from './forms/scalar-forms.ts';
import type { CheckedNode, KeywordFamily, ValidationStep } from './keyword.ts';
import { scalarList, deepEqualJson } from '#go';
import type { NodeCheck, SchemaWalk } from '../object/openapi/schema-walk.ts';
import { invalid } from '#kube';
import { areDistinct } from '../object/write/distinct.ts';

/** Keywords that restrict lists. */
export interface ListKeywords {
  readonly maxItems: number | bigint | undefined;
  readonly minItems: number | bigint | undefined;
  readonly uniqueItems: boolean;
  readonly items: SchemaOrSchemas | undefined;
}

declare module '../schema/schema-props.ts' {
  interface SchemaProps extends ListKeywords {}
}

/**
 * Declaration of the keywords in {@link ListKeywords}. Source: kube-openapi pkg/validation/validate/slice_validator.go, validator.go
 * `basicSliceValidator`.
 */
export const lists: KeywordFamily<ListKeywords> = {
  keywords: {
    maxItems: sizeBound({
      name: 'maxItems',
      position: 16,
      of: 'array',
      side: 'most',
      estimate: { of: 'list', least: 'minItems' },
      doc: 'The largest number of elements of an array. The cost estimates of CEL rules depend on this number.',
    }),
    minItems: sizeBound({
      name: 'minItems',
      position: 17,
      of: 'array',
      side: 'least',
      doc: 'The smallest number of elements of an array.',
    }),
    // New definitions must not have `uniqueItems`. For stored definitions, a server still applies it.
    uniqueItems: {
      name: 'uniqueItems',
      position: 18,
      form: FLAG,
      nesting: 'allowed',
      appliesTo: [KINDS.array],
      fastPaths: {},
      change: { kind: 'restriction' },
      docs: undefined,
    },
    items: {
      name: 'items',
      position: 24,
      form: ITEMS,
      nesting: 'structure',
      appliesTo: [KINDS.array],
      contents: true,
      fastPaths: { code: () => js``, column: () => true },
      change: { kind: 'structure' },
      docs: { doc: 'The schema of the elements of an array.', value: 'map' },
    },
  },
  validator: { appliesTo: [KINDS.array], matches: () => 2, steps },
};

function steps({ props, behaviour, compile }: CheckedNode): readonly ValidationStep[] {
  const { items, minItems, maxItems, uniqueItems } = props;
  const found: ValidationStep[] = [];
  if (items?.schema !== undefined) {
    const check = compile(items.schema);
    found.push((value, walk) => checkItems(value as JsonValue[], check, walk));
  }
  const least = minItems === undefined ? undefined : { limit: minItems, isTyped: behaviour.typedShortages };
  if (least !== undefined) found.push((value, walk) => checkMin((value as JsonValue[]).length, least, 'items', walk));
  const most = maxItems === undefined ? undefined : { limit: maxItems, sentence: behaviour.tooMany };
  if (most !== undefined) found.push((value, walk) => checkMax((value as JsonValue[]).length, most, 'items', walk));
  if (uniqueItems) found.push((value, walk) => checkUniqueItems(value as JsonValue[], walk));
  return found;
}

/** Validates the elements of a list against `items`. */
function checkItems(list: readonly JsonValue[], check: NodeCheck, walk: SchemaWalk): void {
  const scalars = scalarList(list);
  if (scalars !== undefined && check.acceptsAll(scalars, list.length, walk)) return;
  const { path } = walk;
  const at = path.length;
  for (let i = 0; i < list.length; i++) {
    walk.polls.step();
    path[at] = i;
    check(list[i] as JsonValue, walk);
  }
  path.length = at;
}

/**
 * Validates `uniqueItems`. New definitions must not contain this keyword, but it is enforced if a stored definition contains it. Source:
 * kube-openapi pkg/validation/validate/values.go.
 */
function checkUniqueItems(list: readonly JsonValue[], walk: SchemaWalk): void {
  if (areDistinct(list) || !hasTwins(list, walk)) return;
  const name = walk.name;
  const text = `${name} in body shouldn't contain duplicates`;
  walk.add({ text, name, toError: (field) => invalid(field, '', text) });
}

function hasTwins(list: readonly JsonValue[], walk: SchemaWalk): boolean {
  return list.some((item, i) => {
    for (let j = 0; j < i; j++) {
      walk.polls.step();
      if (deepEqualJson(item, list[j])) return true;
    }
    return false;
  });
}
