import type { JsonObject } from '#go';
import type { Vocabulary } from '../keywords/vocabulary.ts';
import type { DecodedSchemas } from './decoded-schemas.ts';
import { Decoder } from './decoder.ts';
import type { DecoderOptions } from './decoder.ts';
import type { SchemaProps } from './schema-props.ts';

/** The settings for reading a document with schemas. */
export interface SchemaDecoderOptions extends DecoderOptions {
  /** The keywords that schemas may have. */
  readonly vocabulary: Vocabulary;
  /** Schemas that were read before; it is added to. Undefined: each is decoded where it stands, so that keys which stand twice are noticed there. */
  readonly schemas?: DecodedSchemas | undefined;
  /** True if the document comes from storage, whose writes lose some values. */
  readonly fromStorage?: boolean;
  /** True if a definition's status and conditions have a generation. */
  readonly observesGenerations?: boolean;
}

/** Reads JSON with schemas in it. Equal schemas become one object, if there is nothing to say of them. */
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

  /** Returns a schema that was read before, or reads it now. */
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
