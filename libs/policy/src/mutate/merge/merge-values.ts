import { isJsonObject, newJsonObject } from '#go';
import type { JsonObject, JsonValue } from '#go';
import { fittingAtom } from './atom.ts';
import type { Atom, AtomRef, ListAtom, MapAtom } from './atom.ts';
import { itemKey } from './item-key.ts';
import type { KeyRules } from './item-key.ts';

/**
 * Value on one side of a merge: the live object, which exists before the merge, or the patch. Undefined means that the side has no value,
 * which differs from null.
 */
type Side = JsonValue | undefined;

const isEmpty = (side: JsonObject | readonly JsonValue[] | undefined): boolean =>
  side === undefined || (Array.isArray(side) ? side.length === 0 : Object.keys(side).length === 0);

/** Returns the result if values are not merged: the patch's value if it has one, otherwise the live value (before the merge). */
const keepPatch = (live: Side, patch: Side): Side => (patch === undefined ? live : patch);

/**
 * Items of an associative list, indexed by their keys. If several live items have the same key, `byKey` maps this key to null, so that
 * these items are not merged.
 */
interface Indexed {
  readonly keys: readonly string[];
  readonly items: readonly JsonValue[];
  readonly byKey: ReadonlyMap<string, JsonValue>;
}

function indexItems(type: ListAtom, list: readonly JsonValue[], rules: KeyRules): Indexed {
  const keys: string[] = [];
  const items: JsonValue[] = [];
  const byKey = new Map<string, JsonValue>();
  for (const item of list) {
    const key = itemKey(type, item, rules);
    if (!key.ok) continue;
    byKey.set(key.identity, byKey.has(key.identity) ? null : item);
    keys.push(key.identity);
    items.push(item);
  }
  return { keys, items, byKey };
}

/**
 * Merge of the items of two associative lists. Live items keep their order unless the patch contains them in a different order. New items
 * follow the items that precede them in the patch.
 */
class ListMerge {
  readonly #live: Indexed;
  readonly #patch: Indexed;
  readonly #merge: (live: Side, patch: Side) => Side;
  /** Keys that occur both in the live list and in the patch and are not yet merged, in the order of the patch. */
  readonly #shared: string[];
  readonly #merged = new Set<string>();
  readonly #out: JsonValue[] = [];

  constructor(live: Indexed, patch: Indexed, merge: (live: Side, patch: Side) => Side) {
    this.#live = live;
    this.#patch = patch;
    this.#merge = merge;
    this.#shared = patch.keys.filter((key) => live.byKey.has(key));
  }

  run(): JsonValue[] {
    const { keys: live, items } = this.#live;
    const { keys: patch } = this.#patch;
    let left = 0;
    let right = 0;
    while (left < live.length || right < patch.length) {
      const liveKey = live[left];
      const patchKey = patch[right];
      if (liveKey !== undefined && liveKey === patchKey) {
        this.#take(liveKey);
        this.#shared.shift();
        left++;
        right++;
        continue;
      }
      if (liveKey !== undefined) {
        if (!this.#patch.byKey.has(liveKey)) {
          this.#push(this.#merge(items[left], undefined));
          left++;
          continue;
        }
        const awaited = this.#shared[0];
        if (patchKey !== undefined && awaited !== undefined && awaited !== liveKey) {
          left++;
          continue;
        }
        if (this.#merged.has(liveKey)) left++;
      }
      if (patchKey !== undefined) {
        this.#take(patchKey);
        right++;
        if (this.#shared[0] === patchKey) this.#shared.shift();
      }
    }
    return this.#out;
  }

  #take(key: string): void {
    this.#merged.add(key);
    this.#push(this.#merge(this.#live.byKey.get(key), this.#patch.byKey.get(key)));
  }

  #push(item: Side): void {
    if (item !== undefined) this.#out.push(item);
  }
}

class Merge {
  readonly #rules: KeyRules;

  constructor(rules: KeyRules) {
    this.#rules = rules;
  }

  /** Returns the merged value. Returns undefined if neither side has a value, or if no member or item remains after merging. */
  merge(type: AtomRef, live: Side, patch: Side): Side {
    const atom = type();
    if (patch === undefined) return this.#mergeAs(live === undefined ? atom : fittingAtom(atom, live), live, patch);
    return this.#mergeAs(fittingAtom(atom, patch), live, patch);
  }

  #mergeAs(atom: Atom, live: Side, patch: Side): Side {
    if (atom.map !== undefined) return this.#mergeMaps(atom.map, live, patch);
    if (atom.list !== undefined && atom.scalar === undefined) return this.#mergeLists(atom.list, live, patch);
    return keepPatch(live, patch);
  }

  #mergeMaps(type: MapAtom, live: Side, patch: Side): Side {
    const left = isJsonObject(live) ? live : undefined;
    const right = isJsonObject(patch) ? patch : undefined;
    if (type.atomic || (isEmpty(left) && isEmpty(right))) return keepPatch(live, patch);
    const out = newJsonObject();
    for (const key of new Set([...Object.keys(left ?? {}), ...Object.keys(right ?? {})])) {
      const member = type.fields.get(key)?.type ?? type.others;
      const merged = member && this.merge(member, left?.[key], right?.[key]);
      if (merged !== undefined) out[key] = merged;
    }
    return isEmpty(out) ? undefined : out;
  }

  #mergeLists(type: ListAtom, live: Side, patch: Side): Side {
    const left = Array.isArray(live) ? live : undefined;
    const right = Array.isArray(patch) ? patch : undefined;
    if (type.atomic || (isEmpty(left) && isEmpty(right))) return keepPatch(live, patch);
    const indexed = [left, right].map((list) => indexItems(type, list ?? [], this.#rules));
    const [liveItems, patchItems] = indexed;
    if (liveItems === undefined || patchItems === undefined) return undefined;
    const out = new ListMerge(liveItems, patchItems, (a, b) => this.merge(type.items, a, b)).run();
    return out.length === 0 ? undefined : out;
  }
}

/**
 * Merges a patch into a live value; both must be valid for `type`. Scalars and atomic values are taken from the patch. Maps merge by key,
 * and associative lists merge by the keys of their items. A merge removes no value. Returns undefined if no member or item remains after
 * merging. Source: sigs.k8s.io/structured-merge-diff/v6/typed/merge.go (6.4.2).
 */
export function mergeValues(type: AtomRef, live: JsonValue, patch: JsonValue, rules: KeyRules): JsonValue | undefined {
  return new Merge(rules).merge(type, live, patch);
}
