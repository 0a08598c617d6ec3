import { Float, intValue } from '#go';
import type { JsonObject } from '#go';
import { unescapeFieldName } from './schema/field-name.ts';
import type { ValueSchema } from './schema/value-schema.ts';
import { isInt } from './type-of.ts';
import { CelError, noSuchOverload, Uint } from './value.ts';
import type { CelMap, CelValue } from './value.ts';

/**
 * Key under which a JavaScript Map stores an entry of a CEL map. Two such keys are equal exactly if the CEL keys have the same type and
 * value.
 */
export type HashKey = string | boolean | null | object;

/**
 * Returns a key that combines the type and the value of a CEL key, because a Go map compares both. Numbers become strings, because the
 * JavaScript engine hashes strings with a random seed.
 */
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

/**
 * CEL map that an expression created, in contrast to a map in the data. Source: cel-go common/types/map.go `refValMapAccessor` (v0.29.2).
 */
export class EntryMap implements CelMap {
  readonly kind = 'map';
  readonly schema: ValueSchema | undefined = undefined;
  readonly raw: JsonObject | undefined = undefined;
  readonly #entries = new Map<HashKey, { readonly key: CelValue; value: CelValue }>();

  get size(): number {
    return this.#entries.size;
  }

  /** Sets an entry and replaces an existing entry with the same key. May be called only while the map is being built. */
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

/**
 * Map that a comprehension uses as its accumulator if the initial value is an empty map. The function `cel.@mapInsert` inserts in place.
 */
export class MutableMap extends EntryMap {
  /** Returns an immutable copy of the finished map. */
  frozen(): EntryMap {
    const map = new EntryMap();
    for (const key of this.keys()) map.set(key, this.get(key) as CelValue);
    return map;
  }
}

const NO_TWINS: readonly CelValue[] = [];

/**
 * Returns the keys that have another number type than `key` but the same numeric value. Maps have no double keys, so a double is looked up
 * as int and as uint. An int is also looked up as uint, and vice versa.
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

/**
 * Map that computes each value when it is first read, and caches the result, including errors. It holds the `variables` of a policy. The
 * functions that compute values charge the cost. Source: k8s.io/apiserver/pkg/cel/lazy/lazy.go (1.37).
 */
export class LazyMap implements CelMap {
  readonly kind = 'map';
  readonly schema: ValueSchema | undefined = undefined;
  readonly goType = '*lazy.MapValue';
  readonly raw = undefined;
  readonly #compute: ReadonlyMap<string, () => CelValue>;
  readonly #values = new Map<string, CelValue>();

  constructor(compute: ReadonlyMap<string, () => CelValue>) {
    this.#compute = compute;
  }

  get size(): number {
    return this.#compute.size;
  }

  get(key: CelValue): CelValue | undefined {
    if (typeof key !== 'string') return noSuchOverload(key);
    const name = unescapeFieldName(key);
    const compute = name === undefined ? undefined : this.#compute.get(name);
    if (name === undefined || compute === undefined) return undefined;
    const known = this.#values.get(name);
    if (known !== undefined) return known;
    // The error prevents endless recursion if the value reads itself.
    this.#values.set(name, new CelError(`${key} depends on itself`));
    let value: CelValue | undefined;
    try {
      value = compute();
      return value;
    } finally {
      // If compute() throws, a later read computes the value again.
      if (value === undefined) this.#values.delete(name);
      else this.#values.set(name, value);
    }
  }

  keys(): Iterable<CelValue> {
    return this.#compute.keys();
  }
}
