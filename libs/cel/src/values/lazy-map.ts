import { noSuchOverload } from './errors.ts';
import { unescapeFieldName } from './schema/field-name.ts';
import { CelError } from './value.ts';
import type { ValueSchema } from './schema/value-schema.ts';
import type { CelMap, CelValue } from './value.ts';

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
      // An interrupted computation may be repeated.
      if (value === undefined) this.#values.delete(name);
      else this.#values.set(name, value);
    }
  }

  keys(): Iterable<CelValue> {
    return this.#compute.keys();
  }
}
