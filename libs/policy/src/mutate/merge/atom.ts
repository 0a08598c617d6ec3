import { Float } from '#go';
import type { JsonValue } from '#go';
import { isMergeObject } from './merge-value.ts';
import type { MergeValue } from './merge-value.ts';

/** Type of a scalar in a merge schema. */
export type Scalar = 'boolean' | 'numeric' | 'string' | 'untyped';

/**
 * Function that returns a merge type, which defines how two values merge. Merge types are created on demand, because types can contain
 * themselves and most types are never used.
 */
export type AtomRef = () => Atom;

/**
 * Merge type of a value. It defines which values are allowed and how two values merge. Source:
 * sigs.k8s.io/structured-merge-diff/v6/schema/elements.go (6.4.2).
 */
export interface Atom {
  readonly scalar?: Scalar;
  readonly list?: ListAtom;
  readonly map?: MapAtom;
}

/** Merge type of a list: atomic (replaced as a whole) or associative (merged item by item). */
export interface ListAtom {
  readonly atomic: boolean;
  /** Fields that identify an item of an associative list. If there are no such fields, the list is a set of scalars. */
  readonly keys: readonly string[];
  readonly items: AtomRef;
}

/** Merge type of a map or struct: atomic (replaced as a whole) or merged member by member. */
export interface MapAtom {
  readonly atomic: boolean;
  readonly fields: ReadonlyMap<string, FieldAtom>;
  /** Merge type of members that are not declared in `fields`; absent if only declared fields are allowed. */
  readonly others?: AtomRef;
}

/** Field of a struct in a merge schema, with its merge type (how two values of the field merge) and its default. */
export interface FieldAtom {
  readonly type: AtomRef;
  /** Value that a key field has if an item of an associative list omits it. */
  readonly default?: JsonValue;
}

const NO_FIELDS: ReadonlyMap<string, FieldAtom> = new Map();

/**
 * Merge type (how an ApplyConfiguration patch merges two values) that admits any value. A list or map replaces the old list or map as a
 * whole.
 */
export const UNTYPED: Atom = {
  scalar: 'untyped',
  list: { atomic: true, keys: [], items: () => UNTYPED },
  map: { atomic: true, fields: NO_FIELDS, others: () => UNTYPED },
};

/** Merge type that admits any value. Maps merge key by key; lists are replaced as a whole. */
export const DEDUCED: Atom = {
  scalar: 'untyped',
  list: { atomic: true, keys: [], items: () => UNTYPED },
  map: { atomic: false, fields: NO_FIELDS, others: () => DEDUCED },
};

/** Returns true if a value is an int, a float, a string or a bool. */
export function isScalar(value: MergeValue): boolean {
  return value instanceof Float || ['string', 'number', 'bigint', 'boolean'].includes(typeof value);
}

/**
 * Returns the part of the merge type `atom` (its scalar, list or map) that fits a value. If no part fits, returns the whole merge type, so
 * that validation reports the error.
 */
export function fittingAtom(atom: Atom, value: MergeValue): Atom {
  if (isScalar(value)) return atom.scalar === undefined ? atom : { scalar: atom.scalar };
  if (Array.isArray(value)) return atom.list === undefined ? atom : { list: atom.list };
  if (isMergeObject(value)) return atom.map === undefined ? atom : { map: atom.map };
  return atom;
}
