import { invalid, notSupported, required, structValue } from '#kube';
import type { FieldError } from '#kube';
import { checkMapListItems, mapListKeyErrors } from './check-map-list.ts';
import type { NodeDemands } from './node-demands.ts';
import type { SchemaNode } from './schema-node.ts';

const LIST_TYPES = ['atomic', 'set', 'map'];
const MAP_TYPES = ['atomic', 'granular'];

/**
 * Validates the x-kubernetes-* keywords of a schema node that describe the structure of values. Source: validation.go
 * `ValidateCustomResourceDefinitionOpenAPISchema` (1.37).
 */
export function checkExtensions(node: SchemaNode, demands: NodeDemands): FieldError[] {
  const { schema } = node;
  const errors: FieldError[] = [];
  if (schema.preserveUnknownFields === false)
    errors.push(invalid(node.at('x-kubernetes-preserve-unknown-fields'), false, 'must be true or undefined'));
  errors.push(...checkMapType(node), ...checkListType(node, demands));
  if (schema.listMapKeys.length > 0 && schema.listType !== 'map') {
    const detail = 'must be map if x-kubernetes-list-map-keys is non-empty';
    const place = node.at('x-kubernetes-list-type');
    errors.push(schema.listType === undefined ? required(place, detail) : invalid(place, schema.listType, detail));
  }
  if (schema.listType === 'map') errors.push(...checkMapListItems(node));
  if (demands.requireMapListKeys) errors.push(...mapListKeyErrors(schema, node.path));
  return errors;
}

function checkMapType(node: SchemaNode): FieldError[] {
  const { mapType } = node.schema;
  if (mapType === undefined) return [];
  const errors = wantType(node, 'object', 'must be object if x-kubernetes-map-type is specified');
  if (!MAP_TYPES.includes(mapType)) errors.push(notSupported(node.at('x-kubernetes-map-type'), mapType, MAP_TYPES));
  return errors;
}

function checkListType(node: SchemaNode, demands: NodeDemands): FieldError[] {
  const { type, listType } = node.schema;
  if (listType === undefined) return [];
  const errors =
    type === 'array' ? checkAtomicSet(node, demands) : wantType(node, 'array', 'must be array if x-kubernetes-list-type is specified');
  if (!LIST_TYPES.includes(listType)) errors.push(notSupported(node.at('x-kubernetes-list-type'), listType, LIST_TYPES));
  return errors;
}

function wantType(node: SchemaNode, wanted: string, detail: string): FieldError[] {
  const { type } = node.schema;
  if (type === wanted) return [];
  return [type === '' ? required(node.at('type'), detail) : invalid(node.at('type'), type, detail)];
}

/**
 * Reports sets whose items are not atomic. As in upstream, the error always shows the list type of the items as the bad value, even if
 * their map type is wrong.
 */
function checkAtomicSet(node: SchemaNode, { requireAtomicSets }: NodeDemands): FieldError[] {
  const items = node.schema.items?.schema;
  if (!requireAtomicSets || node.schema.listType !== 'set' || items === undefined) return [];
  const detail = 'must be atomic as item of a list with x-kubernetes-list-type=set';
  const bad = structValue(items.listType ?? null);
  if (items.type === 'array' && items.listType !== undefined && items.listType !== 'atomic')
    return [invalid(node.at('items', 'x-kubernetes-list-type'), bad, detail)];
  return items.type === 'object' && items.mapType !== 'atomic' ? [invalid(node.at('items', 'x-kubernetes-map-type'), bad, detail)] : [];
}
