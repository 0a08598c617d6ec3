import type { DocumentSlice } from '#documents';
import type { ChoosableRule, StudyRequest } from './study-request.ts';

/** Maximum number of objects with which cost searches (searches for a rule's most expensive write) begin. */
const MAX_OBJECTS = 50;

/** Order (request of a client to perform a study). It contains only plain data, so that it can be stored. */
export interface StudyOrder extends Omit<StudyRequest, 'isWanted'> {
  /** Text by which rules are selected ({@link wantedRule}). Undefined selects all rules. */
  readonly rule: string | undefined;
}

/**
 * Converts a stored study order (plain data) to a study request. In the request, a predicate selects the rules, instead of the text in the
 * order.
 */
export function requestOf({ rule, ...order }: StudyOrder): StudyRequest {
  return { ...order, isWanted: wantedRule(rule) };
}

/**
 * Returns a predicate that selects a rule if `chosen` is its path, its version and path, or a part of its text. The predicate selects all
 * rules if `chosen` is undefined.
 */
export const wantedRule =
  (chosen: string | undefined) =>
  ({ version, path, rule }: ChoosableRule): boolean =>
    chosen === undefined || path === chosen || `${version} ${path}` === chosen || rule.includes(chosen);

/**
 * Returns the longest of the user's objects, up to `MAX_OBJECTS`. A study starts its searches for expensive objects from these objects.
 */
export const longestObjects = (objects: readonly DocumentSlice[]): readonly DocumentSlice[] =>
  objects.toSorted((a, b) => b.bytes.length - a.bytes.length).slice(0, MAX_OBJECTS);

/**
 * Returns a copy of an order, with copies of all document bytes. The original bytes are part of the request's body, which would otherwise
 * stay in memory.
 */
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

/** Returns the total size in bytes of the documents in an order. */
export function orderBytes({ definitions, objects, base }: StudyOrder): number {
  const slices = [...definitions.map(({ slice }) => slice), ...objects, ...(base?.definitions ?? [])];
  return slices.reduce((sum, { bytes }) => sum + bytes.length, 0);
}
