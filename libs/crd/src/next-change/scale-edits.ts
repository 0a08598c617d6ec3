import { isJsonInt, isJsonObject } from '#go';
import type { JsonObject, JsonValue } from '#go';
import { fieldsOfPath, MAX_REPLICAS } from '../object/write/scale.ts';
import type { Scale } from '../object/write/scale.ts';
import { editOf } from './edits-beside.ts';
import type { Edit } from './edits-beside.ts';

/**
 * Returns the smallest changes that a write of the subresource `scale` can make: one replica more, and one less. An object without a number
 * of replicas gets 1. Returns no edits if the object does not contain the place of the number. Source: apiextensions-apiserver
 * pkg/registry/customresource/etcd.go `scaleUpdatedObjectInfo` (1.37).
 */
export function editsOfScale(object: JsonObject, { specReplicasPath }: Pick<Scale, 'specReplicasPath'>): readonly Edit[] {
  const steps = fieldsOfPath(specReplicasPath);
  const parent = steps
    .slice(0, -1)
    .reduce<JsonValue | undefined>((value, step) => (value !== undefined && isJsonObject(value) ? value[step] : undefined), object);
  if (parent === undefined || !isJsonObject(parent)) return [];
  const before = parent[steps.at(-1) ?? ''];
  if (before !== undefined && !isJsonInt(before)) return [];
  const replicas = before === undefined ? [1] : [Number(before) + 1, Number(before) - 1];
  return replicas.filter((count) => count >= 0 && count <= MAX_REPLICAS).map((count) => editOf(object, steps, before, count));
}
