import { newJsonObject, compareBytes } from '#go';
import type { JsonObject, JsonValue } from '#go';
import type { DefinitionVersion, Subresources } from './definition.ts';
import { ABSENT_LIST } from './schema-props.ts';
import type { SchemaProps } from './schema-props.ts';

/**
 * Returns a schema in the form in which Go's encoding/json writes the internal type. This form contains every field, even absent ones.
 * Error messages show it. Source: apiextensions-apiserver pkg/apis/apiextensions/types.go, types_jsonschema.go (1.37).
 */
export function schemaStruct(schema: SchemaProps): JsonObject {
  return struct(schema.vocabulary.internal.map(({ goField, field, form }) => [goField, form.struct(schema[field])]));
}

/** Returns the schema keyword `items` in the form in which Go's encoding/json writes the API server's internal type of this keyword. */
export function itemsStruct(items: { readonly schema: SchemaProps | undefined; readonly schemas: readonly SchemaProps[] }): JsonObject {
  return struct([
    ['Schema', items.schema && schemaStruct(items.schema)],
    ['JSONSchemas', structList(items.schemas, schemaStruct)],
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

/** Returns one version of a definition in the form in which Go's encoding/json writes the API server's internal type of a version. */
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
      structList(version.printerColumns, (column) =>
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
    ['SelectableFields', structList(version.selectableFields, (path) => struct([['JSONPath', path]]))],
  ]);
}

/** Returns a struct as Go's encoding/json writes a struct without JSON tags: all fields in their order, with capitalised names. */
export function struct(entries: readonly (readonly [string, JsonValue | undefined])[]): JsonObject {
  const json = newJsonObject();
  for (const [key, value] of entries) json[key] = value ?? null;
  return json;
}

/** Returns a list as Go's encoding/json writes a slice, with each element converted by `write`. Returns null if the list is absent. */
export function structList<T>(items: readonly T[] | undefined, write: (item: T) => JsonValue): JsonValue {
  return items === undefined || items === ABSENT_LIST ? null : items.map(write);
}

/**
 * Returns a map as Go's encoding/json writes a map: with sorted keys, and with each value converted by `write`. Returns null if the map is
 * absent.
 */
export function structMap<T>(items: ReadonlyMap<string, T> | undefined, write: (item: T) => JsonValue): JsonValue {
  if (items === undefined) return null;
  const json = newJsonObject();
  for (const key of [...items.keys()].sort(compareBytes)) json[key] = write(items.get(key) as T);
  return json;
}
