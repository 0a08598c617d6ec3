import { js } from '#cel';
import type { JsonObject, JsonValue } from '#go';
import { KINDS } from '../object/openapi/kind.ts';
import { checkMin, checkMax, sizeBound } from './sizes.ts';
import type { SchemaOrBool, SchemaProps } from '../schema/schema-props.ts';
import { SCHEMA_MAP, SCHEMA_OR_BOOL } from './forms/schema-forms.ts';
import { TEXTS } from './forms/scalar-forms.ts';
import type { CheckedNode, KeywordFamily, ValidationStep } from './keyword.ts';
import { required, invalid } from '#kube';
import type { SchemaWalk, NodeCheck } from '../object/openapi/schema-walk.ts';

/** Keywords that restrict objects and maps. */
export interface ObjectKeywords {
  readonly maxProperties: number | bigint | undefined;
  readonly minProperties: number | bigint | undefined;
  readonly required: readonly string[];
  readonly properties: ReadonlyMap<string, SchemaProps> | undefined;
  readonly additionalProperties: SchemaOrBool | undefined;
}

declare module '../schema/schema-props.ts' {
  interface SchemaProps extends ObjectKeywords {}
}

/**
 * Common properties of keywords that contain schemas for the children of an object. A reader validates the children while it reads them.
 */
const CONTENTS = {
  nesting: 'structure',
  appliesTo: [KINDS.object],
  contents: true,
  fieldwise: true,
  fastPaths: { code: () => js`` },
  change: { kind: 'structure' },
} as const;

/** Declaration of the keywords in {@link ObjectKeywords}. Source: kube-openapi pkg/validation/validate/object_validator.go. */
export const objects: KeywordFamily<ObjectKeywords> = {
  keywords: {
    maxProperties: sizeBound({
      name: 'maxProperties',
      position: 21,
      of: 'object',
      side: 'most',
      estimate: { of: 'map', least: 'minProperties' },
      doc: 'The largest number of entries of a map. The cost estimates of CEL rules depend on this number.',
    }),
    minProperties: sizeBound({
      name: 'minProperties',
      position: 22,
      of: 'object',
      side: 'least',
      doc: 'The smallest number of entries of a map.',
    }),
    required: {
      name: 'required',
      position: 23,
      form: TEXTS,
      nesting: 'allowed',
      appliesTo: [KINDS.object],
      fieldwise: true,
      fastPaths: { code: (names, site) => ('require' in site ? site.require?.(names) : undefined) },
      change: { kind: 'fields' },
      docs: { doc: 'The names of the fields that an object must have.', value: 'list' },
    },
    properties: {
      ...CONTENTS,
      name: 'properties',
      position: 29,
      form: SCHEMA_MAP,
      docs: { doc: 'The fields of an object.', value: 'map' },
    },
    additionalProperties: {
      ...CONTENTS,
      name: 'additionalProperties',
      position: 30,
      form: SCHEMA_OR_BOOL,
      docs: { doc: 'The schema of the values of a map.', value: 'map' },
    },
  },
  validator: { appliesTo: [KINDS.object], matches: () => 1, steps },
};

const sizeOf = (value: JsonValue): number => Object.keys(value as JsonObject).length;

function steps({ props, behaviour, compile }: CheckedNode): readonly ValidationStep[] {
  const { minProperties, maxProperties, additionalProperties, required } = props;
  const declared = new Set(props.properties?.keys() ?? []);
  const found: ValidationStep[] = [];
  const least = minProperties === undefined ? undefined : { limit: minProperties, isTyped: behaviour.typedShortages };
  if (least !== undefined) found.push((value, walk) => checkMin(sizeOf(value), least, 'properties', walk));
  const most = maxProperties === undefined ? undefined : { limit: maxProperties, sentence: behaviour.tooMany };
  if (most !== undefined) found.push((value, walk) => checkMax(sizeOf(value), most, 'properties', walk));
  if (additionalProperties !== undefined && !additionalProperties.allows) {
    found.push((value, walk) => forbidAdditional(value as JsonObject, declared, walk));
  } else if (additionalProperties?.schema !== undefined) {
    const check = compile(additionalProperties.schema);
    found.push((value, walk) => checkAdditional(value as JsonObject, declared, check, walk));
  }
  const checks = [...(props.properties ?? [])].map(([key, property]) => ({ key, check: compile(property) }));
  if (checks.length > 0) found.push((value, walk) => checkProperties(value as JsonObject, checks, walk));
  if (required.length > 0) found.push((value, walk) => checkRequired(value as JsonObject, required, walk));
  return found;
}

/** Validates `required`, in declared order. Null counts as present. */
function checkRequired(value: JsonObject, names: readonly string[], walk: SchemaWalk): void {
  for (const key of names) {
    if (value[key] !== undefined) continue;
    const name = `${walk.name}.${key}`;
    walk.add({ text: `${name} in body is required`, name, toError: (field) => required(field, '') });
  }
}

/** Name and check of one declared property. */
interface PropertyCheck {
  readonly key: string;
  readonly check: NodeCheck;
}

/** Validates the declared `properties` that are present in an object. */
function checkProperties(value: JsonObject, properties: readonly PropertyCheck[], walk: SchemaWalk): void {
  const { path } = walk;
  const at = path.length;
  for (const { key, check } of properties) {
    const child = value[key];
    if (child === undefined) continue;
    path[at] = key;
    check(child, walk);
  }
  path.length = at;
}

/** Validates `additionalProperties: false`: reports each undeclared field. */
function forbidAdditional(value: JsonObject, declared: ReadonlySet<string>, walk: SchemaWalk): void {
  for (const key of Object.keys(value)) {
    if (declared.has(key)) continue;
    const name = walk.name;
    const text = `${name}.${key} in body is a forbidden property`;
    walk.add({ text, name, toError: (field) => invalid(field, key, text) });
  }
}

/**
 * Validates additional properties against the schema in `additionalProperties`. The paths of additional properties of the root begin with a
 * dot, as in upstream.
 */
function checkAdditional(value: JsonObject, declared: ReadonlySet<string>, check: NodeCheck, walk: SchemaWalk): void {
  const { path } = walk;
  const at = path.length;
  if (at === 0) walk.rootIsMap = true;
  for (const key of Object.keys(value)) {
    if (declared.has(key)) continue;
    walk.polls.step();
    path[at] = key;
    check(value[key] as JsonValue, walk);
  }
  path.length = at;
  if (at === 0) walk.rootIsMap = false;
}
