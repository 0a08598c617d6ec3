import { Float } from '#go';
import type { JsonValue } from '#go';
import { isMergeObject } from './merge-value.ts';
import type { MergeValue } from './merge-value.ts';

/** The type of a scalar. */
export type Scalar = 'boolean' | 'numeric' | 'string' | 'untyped';

/** A reference to a type. A function, since types contain themselves and since most of them are never asked for. */
export type AtomRef = () => Atom;

/**
 * The kinds of values that a type admits, and how two values of it merge. Source: sigs.k8s.io/structured-merge-diff/v6/schema/elements.go
 * (6.4.2).
 */
export interface Atom {
  readonly scalar?: Scalar;
  readonly list?: ListAtom;
  readonly map?: MapAtom;
}

/** A list: atomic (exchanged as a whole), or associative (merged item by item). */
export interface ListAtom {
  readonly atomic: boolean;
  /** The fields that name an item of an associative list; without them the list is a set of scalars. */
  readonly keys: readonly string[];
  readonly items: AtomRef;
}

/** A map or struct. */
export interface MapAtom {
  readonly atomic: boolean;
  readonly fields: ReadonlyMap<string, FieldAtom>;
  /** The type of what is no field; absent where only fields are allowed. */
  readonly others?: AtomRef;
}

/** A field of a struct. */
export interface FieldAtom {
  readonly type: AtomRef;
  /** Value that replaces an absent key of an item. */
  readonly default?: JsonValue;
}

const NO_FIELDS: ReadonlyMap<string, FieldAtom> = new Map();

/** Anything; lists and maps are exchanged as a whole. */
export const UNTYPED: Atom = {
  scalar: 'untyped',
  list: { atomic: true, keys: [], items: () => UNTYPED },
  map: { atomic: true, fields: NO_FIELDS, others: () => UNTYPED },
};

/** Anything; maps merge key by key, lists are exchanged as a whole. */
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
 * Returns the part of a type that fits a value's kind. Returns the whole type if no part fits, so that validation
 * reports the error.
 */
export function fittingAtom(atom: Atom, value: MergeValue): Atom {
  if (isScalar(value)) return atom.scalar === undefined ? atom : { scalar: atom.scalar };
  if (Array.isArray(value)) return atom.list === undefined ? atom : { list: atom.list };
  if (isMergeObject(value)) return atom.map === undefined ? atom : { map: atom.map };
  return atom;
}
