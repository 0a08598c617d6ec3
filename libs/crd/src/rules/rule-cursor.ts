import { isJsonObject } from '#go';
import type { JsonValue } from '#go';
import { childPath, indexPath, keyPath } from '#kube';
import type { FieldPath } from '#kube';
import { MapListIndex } from '../object/correlate.ts';
import type { Correlation } from '../object/correlate.ts';
import type { Structural } from '../structural/structural.ts';

/** Start of a traversal that evaluates CEL rules: the path, the old value and the ratcheting state of the first value. */
export interface WalkRoot {
  /** Path of the first value. Undefined if the value is a whole object. */
  readonly path: FieldPath | undefined;
  /** Old value at the start of the traversal. Null if there is no old value. */
  readonly oldValue: JsonValue;
  /** Correlation with the old value, which can turn errors into warnings. Undefined if there is no ratcheting. */
  readonly correlation: Correlation | undefined;
}

/** Step from a value to its child: a declared field, a map entry or a list item. The step to a branch of `allOf` keeps the value. */
interface Step {
  readonly kind: 'field' | 'entry' | 'item' | 'branch';
  readonly above: RuleCursor;
  /** Name of the field, key of the map entry or index of the list item. */
  readonly key: string | number;
  /** Schema of the parent value. */
  readonly schema: Structural;
}

/**
 * Position in a traversal of rules. It holds a value and computes the value's path, old value and correlation on demand. A rule that is
 * true and does not use `oldSelf` needs only the value.
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

  /** Returns a cursor for the same value in a branch of `allOf`. The property `correlation` of this cursor is undefined. */
  branch(schema: Structural): RuleCursor {
    return new RuleCursor(this.value, { kind: 'branch', above: this, key: '', schema });
  }

  /** Returns a cursor for an item of the current list. */
  item(index: number, value: JsonValue, schema: Structural): RuleCursor {
    return new RuleCursor(value, { kind: 'item', above: this, key: index, schema });
  }

  /** Returns a cursor for a declared field of the current object. */
  field(key: string, value: JsonValue, schema: Structural): RuleCursor {
    return new RuleCursor(value, { kind: 'field', above: this, key, schema });
  }

  /** Returns a cursor for the value of a key in the current map. */
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

  /** Old value that rules read as `oldSelf`. Null if there is no old value. */
  get oldValue(): JsonValue {
    return (this.#oldValue ??= oldValueOf(this.value, this.#from));
  }

  /** True if the value equals its old value. A rule that fails and does not use `oldSelf` then causes only a warning. */
  get unchanged(): boolean {
    const { correlation } = this;
    return correlation === undefined ? (this.#outer?.unchanged ?? false) : correlation.unchanged;
  }

  /** Correlation of this node with its old value. Undefined if the node cannot be correlated, or if it is a branch of `allOf`. */
  get correlation(): Correlation | undefined {
    const from = this.#from;
    if (!('above' in from)) return from.correlation;
    const { above, key, kind } = from;
    if (kind === 'branch' || this.#isTypeMeta) return undefined;
    return typeof key === 'number' ? above.correlation?.item(key) : above.correlation?.field(key);
  }

  /** Correlation of the nearest ancestor that has a correlation. */
  get #outer(): Correlation | undefined {
    const from = this.#from;
    if (!('above' in from) || this.#isTypeMeta) return undefined;
    return from.kind === 'branch' ? from.above.#outer : (from.above.correlation ?? from.above.#outer);
  }

  /**
   * True for the fields `apiVersion` and `kind` of an object at the start of the traversal. They are never correlated with an old value.
   */
  get #isTypeMeta(): boolean {
    const from = this.#from;
    return 'above' in from && (from.key === 'apiVersion' || from.key === 'kind') && !('above' in from.above.#from);
  }

  /**
   * Returns an index of the old list by map keys, which finds the old item for an item of the current list. Undefined if there is no old
   * list, or if the list is not of type map.
   */
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

/**
 * Returns true if new and old values of a map can be correlated by key. This is true if the map type is granular, atomic or absent. Source:
 * k8s.io/apiserver/pkg/cel/common/equality.go (1.37).
 */
export function mapIsCorrelatable(mapType: string | undefined): boolean {
  return mapType === undefined || mapType === 'granular' || mapType === 'atomic';
}
