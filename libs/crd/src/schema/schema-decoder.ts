import type { JsonObject } from '#go';
import type { Vocabulary } from '../keywords/vocabulary.ts';
import type { DecodedSchemas } from './decoded-schemas.ts';
import { Decoder } from './decoder.ts';
import type { DecoderOptions } from './decoder.ts';
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
