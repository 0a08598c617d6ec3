import type { JsonObject, JsonValue } from '#go';
import { childPath, indexPath, keyPath } from '#kube';
import type { FieldPath } from '#kube';
import type { Correlation } from '../object/correlate.ts';

/** Where a walk over rules stands: a value, its old value, and what excuses a refusal there. */
export class RuleCursor {
  readonly path: FieldPath | undefined;
  readonly value: JsonValue;
  /** The old value that rules see as `oldSelf`; null where there is none. */
  readonly oldValue: JsonValue;
  /** Correlates the node itself. */
  readonly current: Correlation | undefined;
  /** Correlates the nearest node above that could be correlated. */
  readonly parent: Correlation | undefined;

  constructor(
    path: FieldPath | undefined,
    value: JsonValue,
    oldValue: JsonValue,
    current: Correlation | undefined,
    parent: Correlation | undefined,
  ) {
    this.path = path;
    this.value = value;
    this.oldValue = oldValue;
    this.current = current;
    this.parent = parent;
  }

  /** Whether nothing changed since the old value: a refusal is then a warning, for rules that do not look at `oldSelf`. */
  get unchanged(): boolean {
    return this.current === undefined ? (this.parent?.unchanged ?? false) : this.current.unchanged;
  }

  /** The same value as a branch of `allOf` sees it: not correlated by itself. */
  branch(): RuleCursor {
    return new RuleCursor(this.path, this.value, this.oldValue, undefined, this.parent);
  }

  /** An item of the list that the value is. */
  item(index: number, value: JsonValue, oldValue: JsonValue): RuleCursor {
    const { current } = this;
    return new RuleCursor(indexPath(this.path, index), value, oldValue, current?.item(index), current ?? this.parent);
  }

  /** A declared field of the object that the value is. */
  field(name: string, oldObject: JsonObject | undefined): RuleCursor {
    return this.#member(childPath(this.path, name), name, oldObject);
  }

  /** The value of a key of the map that the value is. */
  entry(key: string, oldObject: JsonObject | undefined): RuleCursor {
    return this.#member(keyPath(this.path, key), key, oldObject);
  }

  #member(path: FieldPath, key: string, oldObject: JsonObject | undefined): RuleCursor {
    const { current, parent } = this;
    const value = (this.value as JsonObject)[key] as JsonValue;
    const old = oldObject?.[key] ?? null;
    // The type's own fields have no old value.
    if (current !== undefined && parent === undefined && (key === 'apiVersion' || key === 'kind'))
      return new RuleCursor(path, value, old, undefined, undefined);
    return new RuleCursor(path, value, old, current?.field(key), current ?? parent);
  }
}
