import type { SchemaRole } from '#cel';
import type { JsonValue } from '#go';
import { decodeSchema, SchemaDecoder } from '../../../libs/crd/src/schema/decode-schema.ts';
import { KEYWORDS } from '../../../libs/crd/src/keywords/all.ts';
import type { SchemaProps } from '../../../libs/crd/src/schema/schema-props.ts';
import { EMPTY_STRUCTURAL, toStructural } from '../../../libs/crd/src/structural/from-schema.ts';
import { asResourceRoot } from '../../../libs/crd/src/structural/structural.ts';
import type { Structural } from '../../../libs/crd/src/structural/structural.ts';

/** Decodes a recorded schema. Returns undefined if it cannot be decoded. */
export function recordedSchema(json: JsonValue | undefined): SchemaProps | undefined {
  const decoder = new SchemaDecoder('JSONSchemaProps', { vocabulary: KEYWORDS });
  const schema = decodeSchema(decoder, json, '');
  return !decoder.failed ? schema : undefined;
}

/**
 * Returns a recorded schema in structural form. `role` says if it is the schema of a whole resource. An absent schema results in an
 * empty structural schema. Returns undefined if the schema cannot be decoded or is not structural.
 */
export function recordedStructural(json: JsonValue | undefined, role: SchemaRole): Structural | undefined {
  const schema = recordedSchema(json);
  if (schema === undefined) return json === null || json === undefined ? EMPTY_STRUCTURAL : undefined;
  const converted = toStructural(schema);
  if (!converted.ok) return undefined;
  return role === 'resource' ? asResourceRoot(converted.structural) : converted.structural;
}
