import { isJsonObject, newJsonObject } from '#go';
import type { JsonObject, JsonValue } from '#go';
import { decodeElement, decodeNested, SCHEMA_TYPE } from '../../schema/decode-schema.ts';
import { encodeSchema } from '../../schema/encode-definition.ts';
import { itemsStruct, schemaStruct, struct, structList, structMap } from '../../schema/go-struct-json.ts';
import { ABSENT_LIST } from '../../schema/schema-props.ts';
import type { SchemaOrBool, SchemaOrSchemas, SchemaOrStrings, SchemaProps } from '../../schema/schema-props.ts';
import type { Form } from '../form.ts';

const isUndefined = (value: unknown): boolean => value === undefined;
const POINTER = { absent: undefined, blank: 'undefined', isAbsent: isUndefined, isZero: isUndefined } as const;

/** Functions that decode and encode the value of a keyword whose value is one schema, such as `not`. */
export const SCHEMA: Form<SchemaProps | undefined> = {
  ...POINTER,
  decode: decodeNested,
  encode: (schema) => schema && encodeSchema(schema),
  struct: (schema) => (schema === undefined ? null : schemaStruct(schema)),
};

/** Functions that decode and encode a schema keyword's value that is a list of schemas. An empty list is treated as absent. */
export const SCHEMAS: Form<readonly SchemaProps[]> = {
  absent: ABSENT_LIST,
  blank: 'empty',
  isAbsent: (schemas) => schemas.length === 0,
  isZero: (schemas) => schemas.length === 0,
  decode: (decoder, json, path) =>
    decoder.list(json, path, `[]${SCHEMA_TYPE}`, (item, where) => decodeElement(decoder, item, where)) ?? ABSENT_LIST,
  encode: (schemas) => (schemas.length === 0 ? undefined : schemas.map(encodeSchema)),
  struct: (schemas) => structList(schemas, schemaStruct),
};

/** Decoder and encoder ({@link Form}) for keywords whose value is a map of schemas by name, such as `properties`. */
export const SCHEMA_MAP: Form<ReadonlyMap<string, SchemaProps> | undefined> = {
  ...POINTER,
  decode: (decoder, json, path) =>
    decoder.map(json, path, `map[string]${SCHEMA_TYPE}`, (item, where) => decodeElement(decoder, item, where)),
  encode: (map) => encodeMap(map, encodeSchema),
  struct: (map) => structMap(map, schemaStruct),
};

function encodeMap<T>(map: ReadonlyMap<string, T> | undefined, encode: (value: T) => JsonValue): JsonObject | undefined {
  if (map === undefined || map.size === 0) return undefined;
  const json = newJsonObject();
  for (const [key, value] of map) json[key] = encode(value);
  return json;
}

/**
 * Decoder and encoder ({@link Form}) for keywords whose value is a boolean or a schema. Source: v1/marshal.go
 * `JSONSchemaPropsOrBool.UnmarshalJSON`.
 */
export const SCHEMA_OR_BOOL: Form<SchemaOrBool | undefined> = {
  ...POINTER,
  decode: (decoder, json, path) => {
    if (json === null) return undefined;
    if (typeof json === 'boolean') return { allows: json, schema: undefined };
    if (isJsonObject(json)) return decoder.leniently(path, () => ({ allows: true, schema: decodeNested(decoder, json, path) }));
    decoder.endWith(path, 'boolean or JSON schema expected');
    return undefined;
  },
  encode: (value) => value && (value.schema === undefined ? value.allows : encodeSchema(value.schema)),
  struct: (value) =>
    value === undefined
      ? null
      : struct([
          ['Allows', value.allows],
          ['Schema', value.schema && schemaStruct(value.schema)],
        ]),
};

/**
 * Decoder and encoder ({@link Form}) for keywords whose value is one schema or a list of schemas. A JSON object is decoded as one schema.
 * Source: v1/marshal.go `JSONSchemaPropsOrArray.UnmarshalJSON`.
 */
export const ITEMS: Form<SchemaOrSchemas | undefined> = {
  ...POINTER,
  decode: (decoder, json, path) => {
    if (json === null) return undefined;
    // Kubernetes stores an empty list as null, so a definition from storage has no items.
    const isEmpty = Array.isArray(json) && json.length === 0;
    if (isEmpty) decoder.keepApart();
    if (decoder.fromStorage && isEmpty) return undefined;
    return decoder.leniently(path, () => {
      if (Array.isArray(json)) return { schema: undefined, schemas: json.map((item, i) => decodeElement(decoder, item, `${path}[${i}]`)) };
      return { schema: isJsonObject(json) ? decodeNested(decoder, json, path) : undefined, schemas: ABSENT_LIST };
    });
  },
  encode: (items) => {
    if (items === undefined) return undefined;
    if (items.schemas.length > 0) return items.schemas.map(encodeSchema);
    return items.schema === undefined ? null : encodeSchema(items.schema);
  },
  struct: (items) => (items === undefined ? null : itemsStruct(items)),
};

/**
 * Decoder and encoder ({@link Form}) of the schema keyword `dependencies`. Its value is a map from property names to a schema or a list of
 * property names.
 */
export const DEPENDENCIES: Form<ReadonlyMap<string, SchemaOrStrings> | undefined> = {
  ...POINTER,
  decode: (decoder, json, path) =>
    decoder.map(json, path, 'v1.JSONSchemaDependencies', (item, where) =>
      decoder.leniently(where, () => {
        if (Array.isArray(item)) return { schema: undefined, property: decoder.strings(item, where) ?? ABSENT_LIST };
        return { schema: isJsonObject(item) ? decodeNested(decoder, item, where) : undefined, property: ABSENT_LIST };
      }),
    ),
  encode: (map) => encodeMap(map, ({ schema, property }) => (schema === undefined ? [...property] : encodeSchema(schema))),
  struct: (map) =>
    structMap(map, ({ schema, property }) =>
      struct([
        ['Schema', schema && schemaStruct(schema)],
        ['Property', structList(property, (name) => name)],
      ]),
    ),
};
