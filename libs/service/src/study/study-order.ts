import type { DocumentSlice } from '#evaluation';
import type { ChoosableRule, StudyRequest } from './study-request.ts';

/** Objects from which searches begin, at most. */
const MOST_OBJECTS = 50;

/** An order of a study, as plain data that can be stored. */
export interface StudyOrder extends Omit<StudyRequest, 'isWanted'> {
  /** The choice of rules ({@link wantedRule}); undefined for all. */
  readonly rule: string | undefined;
}

/** Returns the request of an order. */
export function requestOf({ rule, ...order }: StudyOrder): StudyRequest {
  return { ...order, isWanted: wantedRule(rule) };
}

/** Returns a test of rules: by the path, by version and path, or by a part of the text; all rules if nothing is chosen. */
export const wantedRule =
  (chosen: string | undefined) =>
  ({ version, path, rule }: ChoosableRule): boolean =>
    chosen === undefined || path === chosen || `${version} ${path}` === chosen || rule.includes(chosen);

/** Returns the objects from which searches begin: the longest ones. */
export const longestObjects = (objects: readonly DocumentSlice[]): readonly DocumentSlice[] =>
  objects.toSorted((a, b) => b.bytes.length - a.bytes.length).slice(0, MOST_OBJECTS);

/** Returns an order whose bytes are its own: those of a body belong to its request. */
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

/** Returns the bytes of an order's documents. */
export function orderBytes({ definitions, objects, base }: StudyOrder): number {
  const slices = [...definitions.map(({ slice }) => slice), ...objects, ...(base?.definitions ?? [])];
  return slices.reduce((sum, { bytes }) => sum + bytes.length, 0);
}
