import { isJsonObject } from '#go';
import type { JsonValue } from '#go';
import { childPath, indexPath, keyPath } from '#kube';
import type { FieldPath } from '#kube';
import type { Correlation } from '../object/correlate.ts';
import { MapListIndex } from '../object/map-list-index.ts';
import type { Structural } from '../structural/structural.ts';
import { mapIsCorrelatable } from './correlatable-map.ts';

/** Start of a walk over rules. */
export interface WalkRoot {
  /** Undefined for a whole object. */
  readonly path: FieldPath | undefined;
  /** Null where there is none. */
  readonly oldValue: JsonValue;
  /** Excuses refusals; undefined where nothing does. */
  readonly correlation: Correlation | undefined;
}

/**
 * The step from a value to its child: a declared field, a map entry or a list item. A branch of `allOf` repeats the
 * same value.
 */
interface Step {
  readonly kind: 'field' | 'entry' | 'item' | 'branch';
  readonly above: RuleCursor;
  /** Name, key or index. */
  readonly key: string | number;
  /** The schema of the value above. */
  readonly schema: Structural;
}

/**
 * Position of a walk over rules: a value and, on demand, its path, its old value, and its correlation that may excuse a
 * refusal. A true rule without `oldSelf` needs none of these.
 */
export class RuleCursor {
  readonly value: JsonValue;
  readonly #from: WalkRoot | Step;
  #oldItems: MapListIndex | undefined;
  #oldValue: JsonValue | undefined;

  constructor(value: JsonValue, from: WalkRoot | Step) {
    this.value = value;
    this.#from = from;
  }

  /** The same value as a branch of `allOf` sees it: not correlated by itself. */
  branch(schema: Structural): RuleCursor {
    return new RuleCursor(this.value, { kind: 'branch', above: this, key: '', schema });
  }

  /** An item of the list that the value is. */
  item(index: number, value: JsonValue, schema: Structural): RuleCursor {
    return new RuleCursor(value, { kind: 'item', above: this, key: index, schema });
  }

  /** A declared field of the object that the value is. */
  field(key: string, value: JsonValue, schema: Structural): RuleCursor {
    return new RuleCursor(value, { kind: 'field', above: this, key, schema });
  }

  /** The value of a key of the map that the value is. */
  entry(key: string, value: JsonValue, schema: Structural): RuleCursor {
    return new RuleCursor(value, { kind: 'entry', above: this, key, schema });
  }

  get path(): FieldPath | undefined {
    const from = this.#from;
    if (!('above' in from)) return from.path;
    const { above, key, kind } = from;
    if (kind === 'branch') return above.path;
    if (typeof key === 'number') return indexPath(above.path, key);
    return kind === 'field' ? childPath(above.path, key) : keyPath(above.path, key);
  }

  /** The old value that rules see as `oldSelf`; null where there is none. */
  get oldValue(): JsonValue {
    return (this.#oldValue ??= oldValueOf(this.value, this.#from));
  }

  /** True if the value equals its old value. A refusal by a rule without `oldSelf` is then a warning. */
  get unchanged(): boolean {
    const { correlation } = this;
    return correlation === undefined ? (this.#outer?.unchanged ?? false) : correlation.unchanged;
  }

  /** Correlates the node itself. */
  get correlation(): Correlation | undefined {
    const from = this.#from;
    if (!('above' in from)) return from.correlation;
    const { above, key, kind } = from;
    if (kind === 'branch' || this.#isTypeMeta) return undefined;
    return typeof key === 'number' ? above.correlation?.item(key) : above.correlation?.field(key);
  }

  /** Correlates the nearest node above that could be correlated. */
  get #outer(): Correlation | undefined {
    const from = this.#from;
    if (!('above' in from) || this.#isTypeMeta) return undefined;
    return from.kind === 'branch' ? from.above.#outer : (from.above.correlation ?? from.above.#outer);
  }

  /** The type's own fields have no old value. */
  get #isTypeMeta(): boolean {
    const from = this.#from;
    return 'above' in from && (from.key === 'apiVersion' || from.key === 'kind') && !('above' in from.above.#from);
  }

  /** The old items that belong to items of the list that the value is, by their keys. */
  oldItems(schema: Structural): MapListIndex | undefined {
    const { oldValue } = this;
    if (!Array.isArray(oldValue) || schema.listType !== 'map') return undefined;
    return (this.#oldItems ??= new MapListIndex(schema, oldValue));
  }
}

function oldValueOf(value: JsonValue, from: WalkRoot | Step): JsonValue {
  if (!('above' in from)) return from.oldValue;
  const { above, key, kind, schema } = from;
  if (kind === 'branch') return above.oldValue;
  if (typeof key === 'number') return above.oldItems(schema)?.get(value) ?? null;
  const { oldValue } = above;
  return isJsonObject(oldValue) && mapIsCorrelatable(schema.mapType) ? (oldValue[key] ?? null) : null;
}
