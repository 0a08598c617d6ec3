import { sortedKeys } from '#go';
import type { AtomRef } from './atom.ts';
import { isMergeObject } from './merge-value.ts';
import type { MergeValue } from './merge-value.ts';

/**
 * Returns the paths of all atomic lists, maps and structs in a patch. A patch must not contain atomic values, because merging such a value
 * removes all members that the patch omits. Map values that are not declared fields are not searched. Source:
 * k8s.io/apiserver/pkg/admission/plugin/policy/mutating/patch/smd.go `findAtomics` (1.37).
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
