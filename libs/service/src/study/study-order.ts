import type { DocumentSlice } from '#evaluation';
import type { ChoosableRule, StudyRequest } from './study-request.ts';

/** Highest number of objects from which cost searches begin. */
const MOST_OBJECTS = 50;

/** Order of a study as plain data, so that it can be stored. */
export interface StudyOrder extends Omit<StudyRequest, 'isWanted'> {
  /** Text that selects rules ({@link wantedRule}); undefined selects all rules. */
  readonly rule: string | undefined;
}

/** Returns the request of an order. */
export function requestOf({ rule, ...order }: StudyOrder): StudyRequest {
  return { ...order, isWanted: wantedRule(rule) };
}

/**
 * Returns a predicate that selects rules by path, by version and path, or by a part of the rule's text. All rules are selected if `chosen`
 * is undefined.
 */
export const wantedRule =
  (chosen: string | undefined) =>
  ({ version, path, rule }: ChoosableRule): boolean =>
    chosen === undefined || path === chosen || `${version} ${path}` === chosen || rule.includes(chosen);

/** Returns the longest objects, from which cost searches begin. */
export const longestObjects = (objects: readonly DocumentSlice[]): readonly DocumentSlice[] =>
  objects.toSorted((a, b) => b.bytes.length - a.bytes.length).slice(0, MOST_OBJECTS);

/** Returns an order with its own copies of all bytes. The original bytes belong to the request's body. */
export function ownOrder(order: StudyOrder): StudyOrder {
  const { definitions, objects, base } = order;
  return {
    ...order,
    definitions: definitions.map(({ source, slice }) => ({ source, slice: own(slice) })),
    objects: objects.map(own),
    base: base && { name: base.name, definitions: base.definitions.map(own) },
  };
}

const own = ({ bytes, notation }: DocumentSlice): DocumentSlice => ({ bytes: new Uint8Array(bytes), notation });

/** Returns the total size in bytes of an order's documents. */
export function orderBytes({ definitions, objects, base }: StudyOrder): number {
  const slices = [...definitions.map(({ slice }) => slice), ...objects, ...(base?.definitions ?? [])];
  return slices.reduce((sum, { bytes }) => sum + bytes.length, 0);
}
