import { isJsonObject, newJsonObject, copyJson } from '#go';
import type { JsonValue } from '#go';
import { SCHEMA_WORK } from '../definition/work-done.ts';
import { joinPath } from './decoder.ts';
import type { Decoder } from './decoder.ts';
import { ABSENT_LIST } from './schema-props.ts';
import { schemaHas } from './walk-schema.ts';
import type { ExternalDocs, SchemaOrBool, SchemaOrSchemas, SchemaOrStrings, SchemaProps, ValidationRule } from './schema-props.ts';

/** Fields of apiextensions.k8s.io/v1 JSONSchemaProps. Source: pkg/apis/apiextensions/v1/types_jsonschema.go (1.37). */
const FIELDS: ReadonlySet<string> = new Set(
  [
    ['id', '$schema', '$ref', 'description', 'type', 'format', 'title', 'default', 'maximum', 'exclusiveMaximum', 'minimum'],
    ['exclusiveMinimum', 'maxLength', 'minLength', 'pattern', 'maxItems', 'minItems', 'uniqueItems', 'multipleOf', 'enum'],
    ['maxProperties', 'minProperties', 'required', 'items', 'allOf', 'oneOf', 'anyOf', 'not', 'properties', 'additionalProperties'],
    ['patternProperties', 'dependencies', 'additionalItems', 'definitions', 'externalDocs', 'example', 'nullable'],
    ['x-kubernetes-preserve-unknown-fields', 'x-kubernetes-embedded-resource', 'x-kubernetes-int-or-string'],
    ['x-kubernetes-list-map-keys', 'x-kubernetes-list-type', 'x-kubernetes-map-type', 'x-kubernetes-validations'],
  ].flat(),
);
const RULE_FIELDS: ReadonlySet<string> = new Set(['rule', 'message', 'messageExpression', 'reason', 'fieldPath', 'optionalOldSelf']);
const DOCS_FIELDS: ReadonlySet<string> = new Set(['description', 'url']);

const SCHEMA_TYPE = 'v1.JSONSchemaProps';

/** Decodes the schema of a version. */
export function decodeSchema(decoder: Decoder, value: JsonValue | undefined, path: string): SchemaProps | undefined {
  return decode(decoder, value, path, () => true);
}

/** Decodes a schema inside another one; an absent or null one is undefined. */
function decodeNested(decoder: Decoder, value: JsonValue | undefined, path: string): SchemaProps | undefined {
  return decode(decoder, value, path, ({ embeddedResource }) => embeddedResource);
}

/** @param isResource whether a schema is that of a resource: validation coerces the metadata of resources in a default, so that nobody else may have that default */
function decode(
  decoder: Decoder,
  value: JsonValue | undefined,
  path: string,
  isResource: (schema: SchemaProps) => boolean,
): SchemaProps | undefined {
  const json = decoder.fields(value, path, SCHEMA_TYPE, FIELDS);
  if (json === undefined) return undefined;
  return decoder.once(json, () => {
    const schema = decodeFields(decoder, json, path);
    if (typeof schema.default === 'object' && schemaHas(schema, isResource)) decoder.keepApart();
    return schema;
  });
}

/** Decodes a schema that stands in a list or map, where null is the empty schema. */
function decodeElement(decoder: Decoder, value: JsonValue, path: string): SchemaProps {
  return decodeNested(decoder, value, path) ?? decodeFields(decoder, newJsonObject(), path);
}

function decodeFields(decoder: Decoder, json: Readonly<Record<string, JsonValue>>, path: string): SchemaProps {
  SCHEMA_WORK.decoded++;
  // Only what is there needs its path, and few of the keywords are.
  const at = (key: string): string => (json[key] === undefined ? '' : joinPath(path, key));
  const schemas = (key: string): readonly SchemaProps[] =>
    decoder.list(json[key], at(key), `[]${SCHEMA_TYPE}`, (item, where) => decodeElement(decoder, item, where)) ?? ABSENT_LIST;
  const map = (key: string): ReadonlyMap<string, SchemaProps> | undefined =>
    decoder.map(json[key], at(key), `map[string]${SCHEMA_TYPE}`, (item, where) => decodeElement(decoder, item, where));
  for (const key of ['default', 'enum', 'example']) decoder.unread(json[key], at(key));
  return {
    id: decoder.string(json['id'], at('id')),
    schema: decoder.string(json['$schema'], at('$schema')),
    ref: decoder.optionalString(json['$ref'], at('$ref')),
    description: decoder.string(json['description'], at('description')),
    type: decoder.string(json['type'], at('type')),
    format: decoder.string(json['format'], at('format')),
    title: decoder.string(json['title'], at('title')),
    // A copy of its own: validation coerces metadata in it.
    default: copyJson(json['default'] ?? null) ?? undefined,
    maximum: decoder.float64(json['maximum'], at('maximum')),
    exclusiveMaximum: decoder.bool(json['exclusiveMaximum'], at('exclusiveMaximum')),
    minimum: decoder.float64(json['minimum'], at('minimum')),
    exclusiveMinimum: decoder.bool(json['exclusiveMinimum'], at('exclusiveMinimum')),
    maxLength: decoder.int64(json['maxLength'], at('maxLength')),
    minLength: decoder.int64(json['minLength'], at('minLength')),
    pattern: decoder.string(json['pattern'], at('pattern')),
    maxItems: decoder.int64(json['maxItems'], at('maxItems')),
    minItems: decoder.int64(json['minItems'], at('minItems')),
    uniqueItems: decoder.bool(json['uniqueItems'], at('uniqueItems')),
    multipleOf: decoder.float64(json['multipleOf'], at('multipleOf')),
    enum: decoder.list(json['enum'], at('enum'), '[]v1.JSON', (item) => item),
    maxProperties: decoder.int64(json['maxProperties'], at('maxProperties')),
    minProperties: decoder.int64(json['minProperties'], at('minProperties')),
    required: decoder.strings(json['required'], at('required')) ?? ABSENT_LIST,
    items: decodeItems(decoder, json['items'], at('items')),
    allOf: schemas('allOf'),
    oneOf: schemas('oneOf'),
    anyOf: schemas('anyOf'),
    not: decodeNested(decoder, json['not'], at('not')),
    properties: map('properties'),
    additionalProperties: decodeSchemaOrBool(decoder, json['additionalProperties'], at('additionalProperties')),
    patternProperties: map('patternProperties'),
    dependencies: decoder.map(json['dependencies'], at('dependencies'), 'v1.JSONSchemaDependencies', (item, where) =>
      decodeDependency(decoder, item, where),
    ),
    additionalItems: decodeSchemaOrBool(decoder, json['additionalItems'], at('additionalItems')),
    definitions: map('definitions'),
    externalDocs: decodeDocs(decoder, json['externalDocs'], at('externalDocs')),
    example: json['example'] ?? undefined,
    nullable: decoder.bool(json['nullable'], at('nullable')),
    preserveUnknownFields: decoder.optionalBool(json['x-kubernetes-preserve-unknown-fields'], at('x-kubernetes-preserve-unknown-fields')),
    embeddedResource: decoder.bool(json['x-kubernetes-embedded-resource'], at('x-kubernetes-embedded-resource')),
    intOrString: decoder.bool(json['x-kubernetes-int-or-string'], at('x-kubernetes-int-or-string')),
    listMapKeys: decoder.strings(json['x-kubernetes-list-map-keys'], at('x-kubernetes-list-map-keys')) ?? ABSENT_LIST,
    listType: decoder.optionalString(json['x-kubernetes-list-type'], at('x-kubernetes-list-type')),
    mapType: decoder.optionalString(json['x-kubernetes-map-type'], at('x-kubernetes-map-type')),
    rules:
      decoder.list(json['x-kubernetes-validations'], at('x-kubernetes-validations'), 'v1.ValidationRules', (item, where) =>
        decodeRule(decoder, item, where),
      ) ?? ABSENT_LIST,
  };
}

function decodeRule(decoder: Decoder, value: JsonValue, path: string): ValidationRule {
  const json = decoder.fields(value, path, 'v1.ValidationRule', RULE_FIELDS);
  return {
    rule: decoder.string(json?.['rule'], joinPath(path, 'rule')),
    message: decoder.string(json?.['message'], joinPath(path, 'message')),
    messageExpression: decoder.string(json?.['messageExpression'], joinPath(path, 'messageExpression')),
    reason: decoder.optionalString(json?.['reason'], joinPath(path, 'reason'), 'v1.FieldValueErrorReason'),
    fieldPath: decoder.string(json?.['fieldPath'], joinPath(path, 'fieldPath')),
    optionalOldSelf: decoder.optionalBool(json?.['optionalOldSelf'], joinPath(path, 'optionalOldSelf')),
  };
}

function decodeDocs(decoder: Decoder, value: JsonValue | undefined, path: string): ExternalDocs | undefined {
  const json = decoder.fields(value, path, 'v1.ExternalDocumentation', DOCS_FIELDS);
  if (json === undefined) return undefined;
  return {
    description: decoder.string(json['description'], joinPath(path, 'description')),
    url: decoder.string(json['url'], joinPath(path, 'url')),
  };
}

/** `items`: an object is one schema, a list several. Source: v1/marshal.go `JSONSchemaPropsOrArray.UnmarshalJSON`. */
function decodeItems(decoder: Decoder, value: JsonValue | undefined, path: string): SchemaOrSchemas | undefined {
  if (value === undefined || value === null) return undefined;
  // An empty list is written as null.
  const isEmpty = Array.isArray(value) && value.length === 0;
  if (isEmpty) decoder.keepApart();
  if (decoder.fromStorage && isEmpty) return undefined;
  return decoder.leniently(path, () => {
    if (Array.isArray(value)) return { schema: undefined, schemas: value.map((item, i) => decodeElement(decoder, item, `${path}[${i}]`)) };
    return { schema: isJsonObject(value) ? decodeNested(decoder, value, path) : undefined, schemas: ABSENT_LIST };
  });
}

/** A bool or a schema. Source: v1/marshal.go `JSONSchemaPropsOrBool.UnmarshalJSON`. */
function decodeSchemaOrBool(decoder: Decoder, value: JsonValue | undefined, path: string): SchemaOrBool | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'boolean') return { allows: value, schema: undefined };
  if (!isJsonObject(value)) {
    decoder.endWith(path, 'boolean or JSON schema expected');
    return undefined;
  }
  return decoder.leniently(path, () => ({ allows: true, schema: decodeNested(decoder, value, path) }));
}

function decodeDependency(decoder: Decoder, value: JsonValue, path: string): SchemaOrStrings {
  return decoder.leniently(path, () => {
    if (Array.isArray(value)) return { schema: undefined, property: decoder.strings(value, path) ?? ABSENT_LIST };
    return { schema: isJsonObject(value) ? decodeNested(decoder, value, path) : undefined, property: ABSENT_LIST };
  });
}
