import { floatValue, newJsonObject } from '#go';
import type { JsonObject, JsonValue } from '#go';
import type { SchemaOrBool, SchemaProps, ValidationRule } from './schema-props.ts';

/** Writes fields unless they are empty, as Go's `omitempty` does. */
class FieldWriter {
  readonly json = newJsonObject();

  /** Undefined, empty strings, false, empty lists and empty objects are left out. */
  omitEmpty(key: string, value: JsonValue | undefined): this {
    if (value === undefined || value === '' || value === false) return this;
    if (Array.isArray(value) && value.length === 0) return this;
    this.json[key] = value;
    return this;
  }

  /** What is a pointer in Go is written whenever it is there. */
  pointer(key: string, value: JsonValue | undefined): this {
    if (value !== undefined) this.json[key] = value;
    return this;
  }
}

const float = (value: number | undefined): JsonValue | undefined => (value === undefined ? undefined : floatValue(value));

function schemaMap(map: ReadonlyMap<string, SchemaProps> | undefined): JsonObject | undefined {
  if (map === undefined || map.size === 0) return undefined;
  const json = newJsonObject();
  for (const [key, schema] of map) json[key] = encodeSchema(schema);
  return json;
}

function schemaOrBool(value: SchemaOrBool | undefined): JsonValue | undefined {
  if (value === undefined) return undefined;
  return value.schema === undefined ? value.allows : encodeSchema(value.schema);
}

function encodeRule(rule: ValidationRule): JsonObject {
  return new FieldWriter()
    .pointer('rule', rule.rule)
    .omitEmpty('message', rule.message)
    .omitEmpty('messageExpression', rule.messageExpression)
    .pointer('reason', rule.reason)
    .omitEmpty('fieldPath', rule.fieldPath)
    .pointer('optionalOldSelf', rule.optionalOldSelf).json;
}

function encodeItems(schema: SchemaProps): JsonValue | undefined {
  if (schema.items === undefined) return undefined;
  if (schema.items.schemas.length > 0) return schema.items.schemas.map(encodeSchema);
  return schema.items.schema === undefined ? null : encodeSchema(schema.items.schema);
}

/** A schema in its v1 JSON form. Source: apiextensions-apiserver pkg/apis/apiextensions/v1/types_jsonschema.go (1.37). */
export function encodeSchema(schema: SchemaProps): JsonObject {
  const dependencies = schema.dependencies && newJsonObject();
  for (const [key, dependency] of schema.dependencies ?? []) {
    (dependencies as JsonObject)[key] = dependency.schema === undefined ? [...dependency.property] : encodeSchema(dependency.schema);
  }
  const docs = schema.externalDocs;
  const externalDocs = docs && new FieldWriter().omitEmpty('description', docs.description).omitEmpty('url', docs.url).json;
  return new FieldWriter()
    .omitEmpty('id', schema.id)
    .omitEmpty('$schema', schema.schema)
    .pointer('$ref', schema.ref)
    .omitEmpty('description', schema.description)
    .omitEmpty('type', schema.type)
    .omitEmpty('format', schema.format)
    .omitEmpty('title', schema.title)
    .pointer('default', schema.default)
    .pointer('maximum', float(schema.maximum))
    .omitEmpty('exclusiveMaximum', schema.exclusiveMaximum)
    .pointer('minimum', float(schema.minimum))
    .omitEmpty('exclusiveMinimum', schema.exclusiveMinimum)
    .pointer('maxLength', schema.maxLength)
    .pointer('minLength', schema.minLength)
    .omitEmpty('pattern', schema.pattern)
    .pointer('maxItems', schema.maxItems)
    .pointer('minItems', schema.minItems)
    .omitEmpty('uniqueItems', schema.uniqueItems)
    .pointer('multipleOf', float(schema.multipleOf))
    .omitEmpty('enum', schema.enum && [...schema.enum])
    .pointer('maxProperties', schema.maxProperties)
    .pointer('minProperties', schema.minProperties)
    .omitEmpty('required', [...schema.required])
    .pointer('items', encodeItems(schema))
    .omitEmpty('allOf', schema.allOf.map(encodeSchema))
    .omitEmpty('oneOf', schema.oneOf.map(encodeSchema))
    .omitEmpty('anyOf', schema.anyOf.map(encodeSchema))
    .pointer('not', schema.not && encodeSchema(schema.not))
    .pointer('properties', schemaMap(schema.properties))
    .pointer('additionalProperties', schemaOrBool(schema.additionalProperties))
    .pointer('patternProperties', schemaMap(schema.patternProperties))
    .pointer('dependencies', dependencies !== undefined && Object.keys(dependencies).length > 0 ? dependencies : undefined)
    .pointer('additionalItems', schemaOrBool(schema.additionalItems))
    .pointer('definitions', schemaMap(schema.definitions))
    .pointer('externalDocs', externalDocs)
    .pointer('example', schema.example)
    .omitEmpty('nullable', schema.nullable)
    .pointer('x-kubernetes-preserve-unknown-fields', schema.preserveUnknownFields)
    .omitEmpty('x-kubernetes-embedded-resource', schema.embeddedResource)
    .omitEmpty('x-kubernetes-int-or-string', schema.intOrString)
    .omitEmpty('x-kubernetes-list-map-keys', [...schema.listMapKeys])
    .pointer('x-kubernetes-list-type', schema.listType)
    .pointer('x-kubernetes-map-type', schema.mapType)
    .omitEmpty('x-kubernetes-validations', schema.rules.map(encodeRule)).json;
}
