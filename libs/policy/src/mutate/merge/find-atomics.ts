import { sortedKeys } from '#go';
import type { AtomRef } from './atom.ts';
import { isMergeObject } from './merge-value.ts';
import type { MergeValue } from './merge-value.ts';

/**
 * The paths of all lists, maps and structs of a patch that are exchanged as a whole: a patch may not have any, since it would remove what
 * it does not name. Values of maps that are no fields are not looked into.
 * Source: k8s.io/apiserver/pkg/admission/plugin/policy/mutating/patch/smd.go `findAtomics` (1.37).
 */
export function findAtomics(type: AtomRef, value: MergeValue, path = ''): string[] {
  const { map, list } = type();
  if (isMergeObject(value) && map !== undefined) {
    const below = sortedKeys(value).flatMap((key) => {
      const field = map.fields.get(key);
      return field === undefined ? [] : findAtomics(field.type, value[key] ?? null, `${path}.${key}`);
    });
    return map.atomic ? [path, ...below] : below;
  }
  if (Array.isArray(value) && list !== undefined) {
    const below = value.flatMap((item, index) => findAtomics(list.items, item, `${path}[${index}]`));
    return list.atomic ? [path, ...below] : below;
  }
  return [];
}
