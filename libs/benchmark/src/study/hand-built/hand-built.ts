import type { JsonObject } from '#go';

/** Outcome of a write: the server accepts it, or a cost limit ends it. The limit applies to one call or to the whole object. */
export type End = 'accepted' | 'call' | 'object';

/**
 * Rule of a real definition, with the most expensive create or update that a person constructed for it without the automatic search. The
 * rules were chosen by their texts alone, before any cost was known: at most two per definition, and few per project. The cost of each rule
 * grows with a list, a map or a text. Together the rules cover pairs of elements, nested lists, items of lists, searches in texts,
 * patterns, unions, transitions, and sibling rules that bound the value.
 */
export interface HandBuilt {
  /** File of the definition, relative to the folder of the corpora. */
  readonly file: string;
  readonly version: string;
  /** Path of the rule in the form that cost reports use: `properties[spec].x-kubernetes-validations[0]`. */
  readonly path: string;
  /** Returns the object that is written. */
  readonly object: () => JsonObject;
  /**
   * Returns the stored object that is replaced. If this function is absent, the write is a create. A write of the status always has a
   * stored object.
   */
  readonly old?: () => JsonObject;
  readonly end: End;
  /** Cost units of all evaluations of the rule. If a cost limit ends the write, only the cost units up to the limit count. */
  readonly cost: number;
  /** Explanation why it is hard to construct a more expensive write. */
  readonly note: string;
}

/**
 * Returns a text of `length` characters that ends with `number` and is filled at the start with `fill`. Texts with different numbers are
 * different.
 */
export function numberedText(number: number, length: number, fill = 'a'): string {
  return String(number).padStart(length, fill);
}

/** Returns a list of `length` elements, each created from its index. */
export function listOf<Element>(length: number, element: (index: number) => Element): Element[] {
  return Array.from({ length }, (_, index) => element(index));
}
