import { forbidden, notSupported, childPath, invalid, keyPath, required, structValue } from '#kube';
import type { FieldError, FieldPath } from '#kube';
import { itemsStruct } from '../../../schema/go-struct-json.ts';
import type { SchemaProps } from '../../../schema/schema-props.ts';
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

/** Validates the schema of a list of type map: its key names, its `items`, and the types of the key fields. */
export function checkMapListItems(node: SchemaNode): FieldError[] {
  const { schema } = node;
  const errors: FieldError[] = [];
  const at = (...names: string[]): FieldPath => node.at(...names);
  const keys = [...schema.listMapKeys];
  if (keys.length === 0) errors.push(required(at('x-kubernetes-list-map-keys'), 'must not be empty if x-kubernetes-list-type is map'));
  if (schema.items === undefined) {
    errors.push(required(at('items'), 'must have a schema if x-kubernetes-list-type is map'));
    return errors;
  }
  const items = schema.items.schema;
  if (items === undefined) {
    const detail = 'must only have a single schema if x-kubernetes-list-type is map';
    errors.push(invalid(at('items'), structValue(itemsStruct(schema.items)), detail));
    return errors;
  }
  if (items.type !== 'object') {
    errors.push(invalid(at('items', 'type'), items.type, "must be object if parent array's x-kubernetes-list-type is map"));
    return errors;
  }
  const seen = new Set<string>();
  for (const key of keys) {
    const property = items.properties?.get(key);
    if (property === undefined) {
      errors.push(invalid(at('x-kubernetes-list-map-keys'), keys, 'entries must all be names of item properties'));
    } else if (property.type === 'array' || property.type === 'object') {
      const place = childPath(keyPath(at('items', 'properties'), key), 'type');
      errors.push(invalid(place, items.type, "must be a scalar type if parent array's x-kubernetes-list-type is map"));
    }
    if (seen.has(key)) errors.push(invalid(at('x-kubernetes-list-map-keys'), keys, 'must not contain duplicate entries'));
    seen.add(key);
  }
  return errors;
}

/**
 * Reports nullable items in sets and map lists, and key fields of map lists that may be without a value. Source:
 * `validateMapListKeysMapSet` (1.37).
 */
export function mapListKeyErrors(schema: SchemaProps, path: FieldPath | undefined): FieldError[] {
  const items = schema.items?.schema;
  if (items === undefined || (schema.listType !== 'set' && schema.listType !== 'map')) return [];
  const errors: FieldError[] = [];
  if (items.nullable) {
    errors.push(forbidden(childPath(path, 'items', 'nullable'), `cannot be nullable when x-kubernetes-list-type is ${schema.listType}`));
  }
  if (schema.listType !== 'map') return errors;
  const always = new Set(items.required);
  for (const key of schema.listMapKeys) {
    const property = items.properties?.get(key);
    if (property === undefined) continue;
    const at = keyPath(childPath(path, 'items', 'properties'), key);
    const isKey = 'this property is in x-kubernetes-list-map-keys, so it';
    if (!always.has(key) && property.default === undefined) {
      errors.push(required(childPath(at, 'default'), `${isKey} must have a default or be a required property`));
    }
    if (property.nullable) errors.push(forbidden(childPath(at, 'nullable'), `${isKey} cannot be nullable`));
  }
  return errors;
}
