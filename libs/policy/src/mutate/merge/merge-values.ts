import { isJsonObject, newJsonObject, compareBytes, Float, formatFloat, goQuote } from '#go';
import type { JsonObject, JsonValue } from '#go';
import { fittingAtom } from './atom.ts';
import type { Atom, AtomRef, ListAtom, MapAtom } from './atom.ts';
import { goText, isMergeObject } from './merge-value.ts';
import type { MergeValue } from './merge-value.ts';

/** Rules for items of an associative list that omit key fields. */
export interface KeyRules {
  /**
   * Key fields that an item needs. `each` (until Kubernetes 1.33): every key field must be present or have a default. `any`: at least one
   * key field must be present or have a default.
   */
  readonly required: 'any' | 'each';
}

/** The key of an item in an associative list: an identity for comparison, and a text for errors. */
type ItemKey = { readonly ok: true; readonly identity: string; readonly text: string } | { readonly ok: false; readonly error: string };

const refuse = (error: string): ItemKey => ({ ok: false, error });

/** Returns a value as text in the form of the ToString methods in structured-merge-diff. */
function show(value: MergeValue): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return goQuote(value);
  if (Array.isArray(value)) return `[${value.map(show).join(',')}]`;
  if (!isMergeObject(value)) return goText(value);
  return Object.keys(value)
    .map((key) => `${key}=${show(value[key] ?? null)}`)
    .join('');
}

/**
 * Returns a text that is the same for two values only if the values are equal. An integral float is equal to the integer with the same
 * value.
 */
function identityOf(value: MergeValue): string {
  if (value instanceof Float) return Number.isSafeInteger(value.value) ? String(value.value + 0) : formatFloat(value.value);
  return show(value);
}

function keyOfSetItem(item: MergeValue): ItemKey {
  if (isMergeObject(item)) return refuse("associative list without keys has an element that's a map type");
  if (Array.isArray(item)) return refuse('not supported: associative list with lists as elements');
  if (item === null) return refuse("associative list without keys has an element that's an explicit null");
  return { ok: true, identity: identityOf(item), text: `[=${show(item)}]` };
}

const omittedKey = (list: ListAtom, field: string, rules: KeyRules): string =>
  rules.required === 'each'
    ? `associative list with keys has an element that omits key field ${goQuote(field)} (and doesn't have default value)`
    : `associative list with keys has an element that omits all key fields [${list.keys.map(goQuote).join(' ')}] (and doesn't have default values for any key fields)`;

/**
 * Returns the key of an item of an associative list. Source: sigs.k8s.io/structured-merge-diff/v6/typed/helpers.go `listItemToPathElement` (6.4.2).
 */
export function itemKey(list: ListAtom, item: MergeValue, rules: KeyRules): ItemKey {
  if (list.keys.length === 0) return keyOfSetItem(item);
  if (item === null) return refuse('associative list with keys may not have a null element');
  if (!isMergeObject(item)) return refuse('associative list with keys may not have non-map elements');
  const defaults = list.items().map;
  const found: (readonly [field: string, value: MergeValue])[] = [];
  for (const field of list.keys) {
    const value = item[field] ?? (field in item ? null : undefined);
    if (value === undefined && defaults === undefined) {
      return refuse(`couldn't find default value for ${field}: associative list may not have non-map types`);
    }
    const effective = value === undefined ? defaults?.fields.get(field)?.default : value;
    if (effective !== undefined) found.push([field, effective]);
    else if (rules.required === 'each') return refuse(omittedKey(list, field, rules));
  }
  if (found.length === 0) return refuse(omittedKey(list, '', rules));
  found.sort(([a], [b]) => compareBytes(a, b));
  return {
    ok: true,
    identity: found.map(([field, value]) => `${field}=${identityOf(value)}`).join(','),
    text: `[${found.map(([field, value]) => `${field}=${show(value)}`).join(',')}]`,
  };
}

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
