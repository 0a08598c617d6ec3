import { Float, intValue } from '#go';
import type { JsonObject } from '#go';
import type { ValueSchema } from './schema/value-schema.ts';
import { isInt } from './type-of.ts';
import { Uint } from './value.ts';
import type { CelMap, CelValue } from './value.ts';

/** A key for a JavaScript Map: equal for equal CEL keys. */
export type HashKey = string | boolean | null | object;

/** Returns the type and value of a key, as in a Go map of CEL values. Numbers become texts: the runtime hashes these by a seed. */
export function hashKey(key: CelValue): HashKey {
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- other keys are integers
  switch (typeof key) {
    case 'string':
      return `"${key}`;
    case 'object':
      if (key instanceof Uint) return `u${key.value}`;
      if (key instanceof Float) return `d${key.value}`;
      return key;
    case 'boolean':
      return key;
    default:
      return `i${key}`;
  }
}

/** A map made by CEL. Source: cel-go common/types/map.go `refValMapAccessor` (v0.29.2). */
export class EntryMap implements CelMap {
  readonly kind = 'map';
  readonly schema: ValueSchema | undefined = undefined;
  readonly raw: JsonObject | undefined = undefined;
  readonly #entries = new Map<HashKey, { readonly key: CelValue; value: CelValue }>();

  get size(): number {
    return this.#entries.size;
  }

  /** Sets an entry, replacing one with the same key. Only while the map is being made. */
  set(key: CelValue, value: CelValue): void {
    this.#entries.set(hashKey(key), { key, value });
  }

  delete(key: CelValue): void {
    this.#entries.delete(hashKey(key));
  }

  get(key: CelValue): CelValue | undefined {
    const found = this.#entries.get(hashKey(key));
    if (found !== undefined) return found.value;
    for (const twin of numericTwins(key)) {
      const entry = this.#entries.get(hashKey(twin));
      if (entry !== undefined) return entry.value;
    }
    return undefined;
  }

  *keys(): Iterable<CelValue> {
    for (const entry of this.#entries.values()) yield entry.key;
  }
}

/** The accumulator of a comprehension that starts with an empty map: `cel.@mapInsert` inserts in place. */
export class MutableMap extends EntryMap {
  /** The finished map. */
  frozen(): EntryMap {
    const map = new EntryMap();
    for (const key of this.keys()) map.set(key, this.get(key) as CelValue);
    return map;
  }
}

const NO_TWINS: readonly CelValue[] = [];

/**
 * Returns keys of other number types that equal a number. Maps have no doubles as keys, so a double looks for int and
 * uint, an int for uint and vice versa.
 */
function numericTwins(key: CelValue): readonly CelValue[] {
  if (typeof key === 'string') return NO_TWINS;
  if (key instanceof Float) {
    const exact = BigInt(key.value);
    const twins: CelValue[] = [];
    if (exact > -(2n ** 63n) && exact < 2n ** 63n) twins.push(intValue(exact));
    if (exact >= 0n && exact < 2n ** 64n) twins.push(new Uint(exact));
    return twins;
  }
  if (key instanceof Uint) return key.value < 2n ** 63n ? [intValue(key.value)] : NO_TWINS;
  if (isInt(key)) return key >= 0 ? [new Uint(BigInt(key))] : NO_TWINS;
  return NO_TWINS;
}
