import { newJsonObject } from '#go';
import { Decoder } from './decoder.ts';
import { decodeSchema } from './decode-schema.ts';
import type { SchemaProps } from './schema-props.ts';

/** A schema that says nothing. */
export function emptySchema(): SchemaProps {
  return decodeSchema(new Decoder('JSONSchemaProps'), newJsonObject(), '') as SchemaProps;
}
