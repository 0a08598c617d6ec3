import { newJsonObject } from '#go';
import type { JsonObject, JsonValue } from '#go';
import { SCHEMA_WORK } from '../definition/work-done.ts';
import type { Vocabulary } from '../keywords/vocabulary.ts';
import { Decoder, joinPath } from './decoder.ts';
import type { DecoderOptions } from './decoder.ts';
import type { DecodedSchemas } from './recent-definitions.ts';
import { schemaHas } from './schema-props.ts';
import type { SchemaProps } from './schema-props.ts';

/** Options for decoding a document that contains schemas. */
export interface SchemaDecoderOptions extends DecoderOptions {
  /** Keywords that schemas may contain. */
  readonly vocabulary: Vocabulary;
  /**
   * Cache of decoded schemas, to which the decoder adds its results. If undefined, each schema is decoded separately, so that duplicate
   * keys are noticed at each location.
   */
  readonly schemas?: DecodedSchemas | undefined;
  /**
   * True if the document comes from storage. An empty list in `items` is then read as absent, because a write to storage replaces it with
   * null.
   */
  readonly fromStorage?: boolean;
  /** True if the status and conditions of a definition have the field `observedGeneration`. */
  readonly observesGenerations?: boolean;
}

/** Decoder of JSON that contains schemas. Equal schemas become one object, unless decoding reports errors or unknown fields for them. */
export class SchemaDecoder extends Decoder {
  readonly vocabulary: Vocabulary;
  readonly fromStorage: boolean;
  readonly observesGenerations: boolean;
  readonly #schemas: DecodedSchemas | undefined;

  constructor(struct: string, options: SchemaDecoderOptions) {
    super(struct, options);
    this.vocabulary = options.vocabulary;
    this.fromStorage = options.fromStorage ?? false;
    this.observesGenerations = options.observesGenerations ?? true;
    this.#schemas = options.schemas;
  }

  /** Returns the schema of `json` from the cache, or calls `read` to decode it. */
  once(json: JsonObject, read: () => SchemaProps): SchemaProps {
    const schemas = this.#schemas;
    if (schemas === undefined) return read();
    const found = schemas.get(json);
    if (found?.vocabulary === this.vocabulary) return found;
    const before = this.remarks;
    const made = read();
    if (this.remarks === before) schemas.set(json, made);
    return made;
  }
}

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
