import { entryCount, entryKeys, isJsonObject } from '#go';
import type { JsonObject, JsonValue } from '#go';
import type { ValueSchema } from './schema/value-schema.ts';
import type { CelList, CelMap, CelValue } from './value.ts';

/**
 * Returns the CEL value of JSON data that has no schema. Keys keep their spelling, scalars keep their JSON type, and nulls are kept. Lists
 * and objects become views that wrap their values when they are read, without copies. Source: cel-go common/types/provider.go
 * `NativeToValue` (v0.29.2) of the values in unstructured objects.
 */
export function viewJson(raw: JsonValue): CelValue {
  if (typeof raw !== 'object' || raw === null) return raw;
  if (Array.isArray(raw)) return new JsonList(raw);
  return isJsonObject(raw) ? new JsonMap(raw) : raw;
}

/** CEL list over a JSON array without a schema. */
export class JsonList implements CelList {
  readonly kind = 'list';
  readonly schema: ValueSchema | undefined = undefined;
  readonly raw: readonly JsonValue[];
  constructor(raw: readonly JsonValue[]) {
    this.raw = raw;
  }
  get size(): number {
    return this.raw.length;
  }
  at(index: number): CelValue {
    return viewJson(this.raw[index] as JsonValue);
  }
}

/** CEL map over a JSON object without a schema. Its keys are strings. */
export class JsonMap implements CelMap {
  readonly kind = 'map';
  readonly schema: ValueSchema | undefined = undefined;
  readonly raw: JsonObject;
  constructor(raw: JsonObject) {
    this.raw = raw;
  }
  get size(): number {
    return entryCount(this.raw);
  }
  get(key: CelValue): CelValue | undefined {
    const raw = typeof key === 'string' ? this.raw[key] : undefined;
    return raw === undefined ? undefined : viewJson(raw);
  }
  keys(): Iterable<CelValue> {
    return entryKeys(this.raw);
  }
}
