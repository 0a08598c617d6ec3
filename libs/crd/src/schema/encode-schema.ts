import { newJsonObject } from '#go';
import type { JsonObject } from '#go';
import type { SchemaProps } from './schema-props.ts';

/** Returns a schema in its v1 JSON form. Source: apiextensions-apiserver pkg/apis/apiextensions/v1/types_jsonschema.go (1.37). */
export function encodeSchema(schema: SchemaProps): JsonObject {
  const json = newJsonObject();
  for (const { name, field, form } of schema.vocabulary.keywords) {
    const value = form.encode(schema[field]);
    if (value !== undefined) json[name] = value;
  }
  return json;
}
