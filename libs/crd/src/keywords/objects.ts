import { js } from '#cel';
import type { JsonObject, JsonValue } from '#go';
import { checkAdditional, forbidAdditional } from '../object/openapi/additional-properties.ts';
import { KINDS } from '../object/openapi/kind.ts';
import { checkMin, checkMax } from '../object/openapi/size.ts';
import { checkProperties } from '../object/openapi/properties.ts';
import { checkRequired } from '../object/openapi/required.ts';
import type { SchemaOrBool, SchemaProps } from '../schema/schema-props.ts';
import { SCHEMA_MAP, SCHEMA_OR_BOOL } from './forms/schema-forms.ts';
import { TEXTS } from './forms/scalar-forms.ts';
import type { CheckedNode, KeywordFamily, ValidationStep } from './keyword.ts';
import { sizeBound } from './sizes.ts';

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

function steps({ props, dialect, compile }: CheckedNode): readonly ValidationStep[] {
  const { minProperties, maxProperties, additionalProperties, required } = props;
  const declared = new Set(props.properties?.keys() ?? []);
  const found: ValidationStep[] = [];
  const least = minProperties === undefined ? undefined : { limit: minProperties, isTyped: dialect.typedShortages };
  if (least !== undefined) found.push((value, walk) => checkMin(sizeOf(value), least, 'properties', walk));
  const most = maxProperties === undefined ? undefined : { limit: maxProperties, sentence: dialect.tooMany };
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
