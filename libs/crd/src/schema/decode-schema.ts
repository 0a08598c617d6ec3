import { newJsonObject } from '#go';
import type { JsonValue } from '#go';
import { SCHEMA_WORK } from '../definition/work-done.ts';
import { joinPath } from './decoder.ts';
import type { SchemaDecoder } from './schema-decoder.ts';
import type { SchemaProps } from './schema-props.ts';
import { schemaHas } from './walk-schema.ts';

/** Name of the schema's Go type in error texts. */
export const SCHEMA_TYPE = 'v1.JSONSchemaProps';

/** Decodes the schema of a version. Source: apiextensions-apiserver pkg/apis/apiextensions/v1/types_jsonschema.go (1.37). */
export function decodeSchema(decoder: SchemaDecoder, value: JsonValue | undefined, path: string): SchemaProps | undefined {
  return decode(decoder, value, path, () => true);
}

/** Decodes a schema inside another schema. Returns undefined if the inner schema is absent or null. */
export function decodeNested(decoder: SchemaDecoder, value: JsonValue | undefined, path: string): SchemaProps | undefined {
  return decode(decoder, value, path, ({ embeddedResource }) => embeddedResource);
}

/**
 * @param isResource returns true if a schema describes a resource. Validation changes the metadata of resources in a default, so a schema
 * with such a default must not be shared.
 */
function decode(
  decoder: SchemaDecoder,
  value: JsonValue | undefined,
  path: string,
  isResource: (schema: SchemaProps) => boolean,
): SchemaProps | undefined {
  const json = decoder.fields(value, path, SCHEMA_TYPE, decoder.vocabulary.byName);
  if (json === undefined) return undefined;
  return decoder.once(json, () => {
    const schema = decodeFields(decoder, json, path);
    if (typeof schema.default === 'object' && schemaHas(schema, isResource)) decoder.keepApart();
    return schema;
  });
}

/** Decodes a schema inside a list or map, where null means the empty schema. */
export function decodeElement(decoder: SchemaDecoder, value: JsonValue, path: string): SchemaProps {
  return decodeNested(decoder, value, path) ?? decodeFields(decoder, newJsonObject(), path);
}

function decodeFields(decoder: SchemaDecoder, json: Readonly<Record<string, JsonValue>>, path: string): SchemaProps {
  SCHEMA_WORK.decoded++;
  const { byName, empty } = decoder.vocabulary;
  const props: Partial<Record<keyof SchemaProps, unknown>> = { ...empty };
  for (const key of Object.keys(json)) {
    const keyword = byName.get(key);
    if (keyword !== undefined) props[keyword.field] = keyword.form.decode(decoder, json[key] as JsonValue, joinPath(path, key));
  }
  return props as SchemaProps;
}
