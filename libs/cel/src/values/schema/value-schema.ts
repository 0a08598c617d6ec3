import { memoizeWeak } from '#go';
import type { JsonValue } from '#go';

/**
 * Parts of a schema node that CEL needs to declare the node's type and to read its data. The structural schema in `libs/crd` implements
 * this interface. Source: k8s.io/apiserver/pkg/cel/common/schemas.go `Schema` (1.37).
 */
export interface ValueSchema {
  readonly type: string;
  readonly format: string;
  readonly items: ValueSchema | undefined;
  readonly properties: ReadonlyMap<string, ValueSchema> | undefined;
  /** Schema in `additionalProperties`; undefined if `additionalProperties` is `true` or `false`. */
  readonly additionalProperties: ValueSchema | undefined;
  readonly nullable: boolean;
  readonly default: JsonValue | undefined;
  readonly pattern: string;
  readonly enum: readonly JsonValue[] | undefined;
  readonly required: readonly string[];
  readonly minLength: number | undefined;
  readonly maxLength: number | undefined;
  readonly minItems: number | undefined;
  readonly maxItems: number | undefined;
  readonly minProperties: number | undefined;
  readonly maxProperties: number | undefined;
  readonly intOrString: boolean;
  readonly embeddedResource: boolean;
  readonly preserveUnknownFields: boolean;
  readonly listType: string | undefined;
  readonly listMapKeys: readonly string[];
  readonly mapType: string | undefined;
}

/** Schema without any constraint. */
export const EMPTY_SCHEMA: ValueSchema = {
  type: '',
  format: '',
  items: undefined,
  properties: undefined,
  additionalProperties: undefined,
  nullable: false,
  default: undefined,
  pattern: '',
  enum: undefined,
  required: [],
  minLength: undefined,
  maxLength: undefined,
  minItems: undefined,
  maxItems: undefined,
  minProperties: undefined,
  maxProperties: undefined,
  intOrString: false,
  embeddedResource: false,
  preserveUnknownFields: false,
  listType: undefined,
  listMapKeys: [],
  mapType: undefined,
};

/** `maxLength` that `metadata.name` receives in the schema of a resource. */
const NAME_MAX_LENGTH = 253;

const STRING_SCHEMA: ValueSchema = { ...EMPTY_SCHEMA, type: 'string' };

/**
 * Returns the schema of a resource, extended with the fields of every resource: kind, apiVersion, and metadata with name and generateName.
 * If `capNames` is true, the names have a maximum length.
 *
 * A schema that declares all these fields is returned unchanged. The schema of a list is returned without its items, because a list is no
 * resource even if it is marked as an embedded resource. Source: k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model/schemas.go
 * `WithTypeAndObjectMeta` (1.37).
 */
export function withTypeAndObjectMeta(schema: ValueSchema, capNames = true): ValueSchema {
  if (declaresMeta(schema)) return schema;
  return capNames ? withCappedNames(schema) : withMeta(schema, 'uncapped');
}

/** Returns the resource schema with bounds for names. Schemas never change, so all callers can share one result. */
const withCappedNames = memoizeWeak((schema: ValueSchema) => withMeta(schema, 'capped'));

function declaresMeta(schema: ValueSchema): boolean {
  const metadata = schema.properties?.get('metadata');
  return (
    schema.properties?.get('kind')?.type === 'string' &&
    schema.properties.get('apiVersion')?.type === 'string' &&
    metadata?.type === 'object' &&
    metadata.properties?.get('name')?.type === 'string' &&
    metadata.properties.get('generateName')?.type === 'string'
  );
}

function withMeta(schema: ValueSchema, names: 'capped' | 'uncapped'): ValueSchema {
  const capNames = names === 'capped';
  const declared = schema.properties?.get('metadata')?.properties;
  const name = capNames ? cappedName(declared?.get('name'), NAME_MAX_LENGTH) : STRING_SCHEMA;
  const generateName = capNames ? cappedName(declared?.get('generateName'), NAME_MAX_LENGTH - 1) : STRING_SCHEMA;
  const metadata: ValueSchema = {
    ...EMPTY_SCHEMA,
    type: 'object',
    properties: new Map([
      ['name', name],
      ['generateName', generateName],
    ]),
  };
  const properties = new Map(schema.properties);
  properties.set('kind', STRING_SCHEMA);
  properties.set('apiVersion', STRING_SCHEMA);
  properties.set('metadata', metadata);
  return { ...copyOf(schema), properties, items: undefined };
}

/** Returns a plain-object copy of a schema. A copy is necessary because schemas may be class instances with getters. */
function copyOf(schema: ValueSchema): ValueSchema {
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(EMPTY_SCHEMA) as (keyof ValueSchema)[]) copy[key] = schema[key];
  return copy as unknown as ValueSchema;
}

/** Returns the schema of a name field. Its maximum length is the smaller of `maxLength` and the declared maximum length. */
function cappedName(declared: ValueSchema | undefined, maxLength: number): ValueSchema {
  const own = declared?.maxLength;
  return { ...STRING_SCHEMA, maxLength: own !== undefined && own < maxLength ? own : maxLength };
}
