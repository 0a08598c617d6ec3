import { compareBytes, floatValue, isJsonObject, newJsonObject, sortedKeys } from '#go';
import type { JsonObject, JsonValue } from '#go';
import type { DefinitionVersion, Subresources } from './definition.ts';
import { ABSENT_LIST } from './schema-props.ts';
import type { SchemaOrBool, SchemaProps, ValidationRule } from './schema-props.ts';

/**
 * Values as Go's encoding/json writes the internal types, which have no JSON names: capitalised fields, all of them, in their order. Error
 * messages show them. Source: apiextensions-apiserver pkg/apis/apiextensions/types.go, types_jsonschema.go (1.37).
 */
function struct(entries: readonly (readonly [string, JsonValue | undefined])[]): JsonObject {
  const json = newJsonObject();
  for (const [key, value] of entries) json[key] = value ?? null;
  return json;
}

const float = (value: number | undefined): JsonValue => (value === undefined ? null : floatValue(value));
const list = <T>(items: readonly T[] | undefined, write: (item: T) => JsonValue): JsonValue =>
  items === undefined || items === ABSENT_LIST ? null : items.map(write);

function map<T>(items: ReadonlyMap<string, T> | undefined, write: (item: T) => JsonValue): JsonValue {
  if (items === undefined) return null;
  const json = newJsonObject();
  for (const key of [...items.keys()].sort(compareBytes)) json[key] = write(items.get(key) as T);
  return json;
}

/** A value of any JSON, decoded into Go's `any`: the keys of its maps are sorted, whatever order they were sent in. */
function anyValue(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(anyValue);
  if (!isJsonObject(value)) return value;
  const json = newJsonObject();
  for (const key of sortedKeys(value)) json[key] = anyValue(value[key] as JsonValue);
  return json;
}

const optionalValue = (value: JsonValue | undefined): JsonValue | undefined => (value === undefined ? undefined : anyValue(value));

/** A rule: `{"Rule":"…","Message":"",…}`. */
export function ruleStruct(rule: ValidationRule): JsonObject {
  return struct([
    ['Rule', rule.rule],
    ['Message', rule.message],
    ['MessageExpression', rule.messageExpression],
    ['Reason', rule.reason],
    ['FieldPath', rule.fieldPath],
    ['OptionalOldSelf', rule.optionalOldSelf],
  ]);
}

function schemaOrBoolStruct(value: SchemaOrBool | undefined): JsonValue {
  if (value === undefined) return null;
  return struct([
    ['Allows', value.allows],
    ['Schema', value.schema && schemaStruct(value.schema)],
  ]);
}

/** A schema with every field, present or not. */
export function schemaStruct(schema: SchemaProps): JsonObject {
  const items = schema.items;
  return struct([
    ['ID', schema.id],
    ['Schema', schema.schema],
    ['Ref', schema.ref],
    ['Description', schema.description],
    ['Type', schema.type],
    ['Nullable', schema.nullable],
    ['Format', schema.format],
    ['Title', schema.title],
    ['Default', optionalValue(schema.default)],
    ['Maximum', float(schema.maximum)],
    ['ExclusiveMaximum', schema.exclusiveMaximum],
    ['Minimum', float(schema.minimum)],
    ['ExclusiveMinimum', schema.exclusiveMinimum],
    ['MaxLength', schema.maxLength],
    ['MinLength', schema.minLength],
    ['Pattern', schema.pattern],
    ['MaxItems', schema.maxItems],
    ['MinItems', schema.minItems],
    ['UniqueItems', schema.uniqueItems],
    ['MultipleOf', float(schema.multipleOf)],
    ['Enum', list(schema.enum, anyValue)],
    ['MaxProperties', schema.maxProperties],
    ['MinProperties', schema.minProperties],
    ['Required', list(schema.required, (item) => item)],
    ['Items', items && itemsStruct(items)],
    ['AllOf', list(schema.allOf, schemaStruct)],
    ['OneOf', list(schema.oneOf, schemaStruct)],
    ['AnyOf', list(schema.anyOf, schemaStruct)],
    ['Not', schema.not && schemaStruct(schema.not)],
    ['Properties', map(schema.properties, schemaStruct)],
    ['AdditionalProperties', schemaOrBoolStruct(schema.additionalProperties)],
    ['PatternProperties', map(schema.patternProperties, schemaStruct)],
    [
      'Dependencies',
      map(schema.dependencies, (dependency) =>
        struct([
          ['Schema', dependency.schema && schemaStruct(dependency.schema)],
          ['Property', list(dependency.property, (item) => item)],
        ]),
      ),
    ],
    ['AdditionalItems', schemaOrBoolStruct(schema.additionalItems)],
    ['Definitions', map(schema.definitions, schemaStruct)],
    [
      'ExternalDocs',
      schema.externalDocs &&
        struct([
          ['Description', schema.externalDocs.description],
          ['URL', schema.externalDocs.url],
        ]),
    ],
    ['Example', optionalValue(schema.example)],
    ['XPreserveUnknownFields', schema.preserveUnknownFields],
    ['XEmbeddedResource', schema.embeddedResource],
    ['XIntOrString', schema.intOrString],
    ['XListMapKeys', list(schema.listMapKeys, (item) => item)],
    ['XListType', schema.listType],
    ['XMapType', schema.mapType],
    ['XValidations', list(schema.rules, ruleStruct)],
  ]);
}

/** `items` as a struct. */
export function itemsStruct(items: { readonly schema: SchemaProps | undefined; readonly schemas: readonly SchemaProps[] }): JsonObject {
  return struct([
    ['Schema', items.schema && schemaStruct(items.schema)],
    ['JSONSchemas', list(items.schemas, schemaStruct)],
  ]);
}

function subresourcesStruct(subresources: Subresources): JsonObject {
  const scale = subresources.scale;
  return struct([
    ['Status', subresources.status ? newJsonObject() : null],
    [
      'Scale',
      scale &&
        struct([
          ['SpecReplicasPath', scale.specReplicasPath],
          ['StatusReplicasPath', scale.statusReplicasPath],
          ['LabelSelectorPath', scale.labelSelectorPath],
        ]),
    ],
  ]);
}

/** One version of a definition. */
export function versionStruct(version: DefinitionVersion): JsonObject {
  return struct([
    ['Name', version.name],
    ['Served', version.served],
    ['Storage', version.storage],
    ['Deprecated', version.deprecated],
    ['DeprecationWarning', version.deprecationWarning],
    ['Schema', version.hasValidation ? struct([['OpenAPIV3Schema', version.schema && schemaStruct(version.schema)]]) : null],
    ['Subresources', version.subresources && subresourcesStruct(version.subresources)],
    [
      'AdditionalPrinterColumns',
      list(version.printerColumns, (column) =>
        struct([
          ['Name', column.name],
          ['Type', column.type],
          ['Format', column.format],
          ['Description', column.description],
          ['Priority', column.priority],
          ['JSONPath', column.jsonPath],
        ]),
      ),
    ],
    ['SelectableFields', list(version.selectableFields, (path) => struct([['JSONPath', path]]))],
  ]);
}
