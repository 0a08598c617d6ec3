import { memoizeWeak } from '#go';
import { EMPTY_SCHEMA } from './value-schema.ts';
import type { ValueSchema } from './value-schema.ts';

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
  return capNames ? withCappedNames(schema) : withMeta(schema, false);
}

/** Returns the resource schema with bounds for names. Schemas never change, so all callers can share one result. */
const withCappedNames = memoizeWeak((schema: ValueSchema) => withMeta(schema, true));

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

function withMeta(schema: ValueSchema, capNames: boolean): ValueSchema {
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
