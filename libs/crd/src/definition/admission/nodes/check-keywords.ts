import { forbidden, notSupported } from '#kube';
import type { FieldError } from '#kube';
import type { NodeDemands, SchemaNode } from './schema-node.ts';

/** Types that a schema may have, in the order in which errors list them. */
export const OPENAPI_TYPES: readonly string[] = ['array', 'boolean', 'integer', 'number', 'object', 'string'];

/** Validates the JSON Schema keywords of a schema node. Source: validation.go `specStandardValidatorV3.validate` (1.37). */
export function checkKeywords(node: SchemaNode, { requireKnownTypes }: NodeDemands): FieldError[] {
  const { schema, around } = node;
  const errors: FieldError[] = [];
  if (requireKnownTypes && schema.type !== '' && !OPENAPI_TYPES.includes(schema.type))
    errors.push(notSupported(node.at('type'), schema.type, OPENAPI_TYPES));
  if (schema.default !== undefined && around.forbidDefault !== undefined)
    errors.push(forbidden(node.at('default'), `must not be set ${around.forbidDefault}`));
  for (const keyword of schema.vocabulary.refused(schema)) errors.push(forbidden(node.at(keyword), `${keyword} is not supported`));
  if (schema.type === 'null') errors.push(forbidden(node.at('type'), 'type cannot be set to null, use nullable as an alternative'));
  if ((schema.items?.schemas.length ?? 0) > 0) errors.push(forbidden(node.at('items'), 'items must be a schema object and not an array'));
  if (around.insideMetadata && schema.embeddedResource)
    errors.push(forbidden(node.at('x-kubernetes-embedded-resource'), 'must not be used inside of resource meta'));
  if (schema.uniqueItems)
    errors.push(forbidden(node.at('uniqueItems'), 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic'));
  const additional = schema.additionalProperties;
  if (additional !== undefined && (schema.properties?.size ?? 0) > 0 && (!additional.allows || additional.schema !== undefined))
    errors.push(forbidden(node.at('additionalProperties'), 'additionalProperties and properties are mutual exclusive'));
  return errors;
}
