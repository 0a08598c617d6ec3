import { isJsonObject } from '#go';
import type { JsonObject, JsonValue } from '#go';
import type { ValueSchema } from '../../../libs/cel/src/values/schema/value-schema.ts';

/** Returns an OpenAPI schema in the form that CEL uses. Does not check that the schema is structural. */
export function valueSchemaOf(schema: JsonObject): ValueSchema {
  return {
    type: textOf(schema['type']),
    format: textOf(schema['format']),
    items: schemaOf(schema['items']),
    properties: isJsonObject(schema['properties'])
      ? new Map(Object.entries(schema['properties']).map(([name, property]) => [name, valueSchemaOf(property as JsonObject)]))
      : undefined,
    additionalProperties: schemaOf(schema['additionalProperties']),
    nullable: schema['nullable'] === true,
    default: schema['default'],
    pattern: textOf(schema['pattern']),
    enum: Array.isArray(schema['enum']) ? schema['enum'] : undefined,
    required: textsOf(schema['required']),
    minLength: integerOf(schema['minLength']),
    maxLength: integerOf(schema['maxLength']),
    minItems: integerOf(schema['minItems']),
    maxItems: integerOf(schema['maxItems']),
    minProperties: integerOf(schema['minProperties']),
    maxProperties: integerOf(schema['maxProperties']),
    intOrString: schema['x-kubernetes-int-or-string'] === true,
    embeddedResource: schema['x-kubernetes-embedded-resource'] === true,
    preserveUnknownFields: schema['x-kubernetes-preserve-unknown-fields'] === true,
    listType: optionalText(schema['x-kubernetes-list-type']),
    listMapKeys: textsOf(schema['x-kubernetes-list-map-keys']),
    mapType: optionalText(schema['x-kubernetes-map-type']),
  };
}

const schemaOf = (value: JsonValue | undefined): ValueSchema | undefined => (isJsonObject(value) ? valueSchemaOf(value) : undefined);
const optionalText = (value: JsonValue | undefined): string | undefined => (typeof value === 'string' ? value : undefined);
const textOf = (value: JsonValue | undefined): string => optionalText(value) ?? '';
const integerOf = (value: JsonValue | undefined): number | undefined => (value === undefined || value === null ? undefined : Number(value));
const textsOf = (value: JsonValue | undefined): string[] => (Array.isArray(value) ? (value as string[]) : []);
