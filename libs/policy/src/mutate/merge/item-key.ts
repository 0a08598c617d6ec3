import { compareBytes, Float, formatFloat, goQuote } from '#go';
import type { ListAtom } from './atom.ts';
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
export type ItemKey =
  | { readonly ok: true; readonly identity: string; readonly text: string }
  | { readonly ok: false; readonly error: string };

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
