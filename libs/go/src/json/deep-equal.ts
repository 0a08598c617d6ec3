import { Float } from './value.ts';
import type { JsonObject, JsonValue } from './value.ts';

/** Function that returns the keys of an object. */
type KeysOf = (object: JsonObject) => readonly string[];

/**
 * Returns true if Go considers two JSON values equal: an int64 never equals a float64. It uses loops instead of callbacks, because values
 * may be nested 10,000 deep. Source: k8s.io/apimachinery/third_party/forked/golang/reflect (1.37).
 *
 * @param keysOf Function that returns the keys of an object. `entryKeys`, which caches keys, is allowed only if neither value is changed
 * after this call.
 */
export function deepEqualJson(a: JsonValue | undefined, b: JsonValue | undefined, keysOf: KeysOf = Object.keys): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (a instanceof Float || b instanceof Float) return a instanceof Float && b instanceof Float && a.value === b.value;
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    for (let i = 0; i < a.length; i++) if (!deepEqualJson(a[i], b[i], keysOf)) return false;
    return true;
  }
  return deepEqualObjects(a, b, keysOf);
}

function deepEqualObjects(a: JsonObject, b: JsonObject, keysOf: KeysOf): boolean {
  const keys = keysOf(a);
  if (keys.length !== keysOf(b).length) return false;
  for (const key of keys) {
    const other = b[key];
    if (other === undefined || !deepEqualJson(a[key], other, keysOf)) return false;
  }
  return true;
}
