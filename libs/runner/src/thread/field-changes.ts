import { isJsonObject, sortedKeys, writeJson } from '#go';
import type { JsonObject, JsonValue } from '#go';
import type { FieldChange } from '#documents';

/** Returns the fields with different values in two stored objects, except `metadata.generation`. */
export function changesBetween(before: JsonObject, after: JsonObject): FieldChange[] {
  const changes: FieldChange[] = [];
  compare(before, after, '');
  return changes;

  function compare(left: JsonValue | undefined, right: JsonValue | undefined, path: string): void {
    if (path === 'metadata.generation') return;
    if (isJsonObject(left) && isJsonObject(right)) {
      for (const key of new Set([...sortedKeys(left), ...sortedKeys(right)]))
        compare(left[key], right[key], path === '' ? key : `${path}.${key}`);
    } else if (Array.isArray(left) && Array.isArray(right)) {
      for (let i = 0; i < Math.max(left.length, right.length); i++) compare(left[i], right[i], `${path}[${i}]`);
    } else {
      const [was, is] = [textOf(left), textOf(right)];
      if (was !== is) changes.push({ path, before: was, after: is });
    }
  }
}

const textOf = (value: JsonValue | undefined): string | undefined => (value === undefined ? undefined : writeJson(value));
