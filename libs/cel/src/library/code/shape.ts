import { DYN } from '../../values/types/type.ts';
import type { Fragment } from './javascript.ts';
import type { ValueSchema } from '../../values/schema/value-schema.ts';
import type { CelType } from '../../values/types/type.ts';

/**
 * The representation of a value in generated code. Scalars of known type and raw data under a schema are used directly;
 * all other values are CEL values. No shape holds an error, because errors leave the code at once.
 */
export type Shape =
  /** A JavaScript boolean, a safe integer, a number that is a double (integral or not), a string. */
  | { readonly kind: 'bool' | 'int' | 'double' | 'string' }
  /** Raw data: an object with declared fields, one with values of one schema, an array. */
  | { readonly kind: 'rawObject' | 'rawMap' | 'rawList'; readonly schema: ValueSchema }
  /** A list of scalars in a column. */
  | { readonly kind: 'intColumn' | 'textColumn' }
  /** A list that generated code made: an array of CEL values. */
  | { readonly kind: 'array'; readonly element: CelType }
  /** A list of which nothing is kept but the number of its elements, which the code is. */
  | { readonly kind: 'counted' }
  /** An optional value: what it holds in its own shape, or undefined. */
  | { readonly kind: 'optional'; readonly of: Shape }
  /** A CEL value of any other type. */
  | { readonly kind: 'value'; readonly type: CelType };

/**
 * The position of a string in a text: from one offset up to, but not including, another. No character of it takes two
 * UTF-16 units.
 */
export interface TextWindow {
  /** Reads the UTF-16 unit at an offset of the text. */
  readonly unitAt: (offset: Fragment) => Fragment;
  readonly from: Fragment;
  readonly to: Fragment;
}

/** An expression whose value has been computed: a name or a literal, safe to repeat. */
export interface Operand {
  readonly code: Fragment;
  readonly shape: Shape;
  /** The value, where it is known now. */
  readonly constant?: unknown;
  /** Position of a string that `code` would have to copy first. Code that only looks at the string can read it there. */
  readonly window?: TextWindow;
  /** True for a string that is known to hold no character of two UTF-16 units: it has as many characters as units. */
  readonly isPlain?: boolean;
  /** True for a raw object of which only that much is known: it is neither null nor a scalar. A field that is found proves the rest. */
  readonly unproven?: boolean;
}

/** Scalars as JavaScript has them: a boolean, a safe integer, a float64, a string. */
export const BOOL_SHAPE: Shape = { kind: 'bool' };
export const INT_SHAPE: Shape = { kind: 'int' };
export const DOUBLE_SHAPE: Shape = { kind: 'double' };
export const STRING_SHAPE: Shape = { kind: 'string' };

/** An optional that holds nothing, of any type. */
export const NONE_SHAPE: Shape = { kind: 'optional', of: { kind: 'value', type: DYN } };

/** Returns the shape of scalars of a type; CEL values otherwise. */
export function shapeOfType(type: CelType): Shape {
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- values of other types have no code of their own
  switch (type.kind) {
    case 'bool':
    case 'int':
    case 'double':
    case 'string':
      return { kind: type.kind };
    default:
      return { kind: 'value', type };
  }
}

/** Returns true for shapes that hold JavaScript numbers. */
export const isNumeric = (shape: Shape): boolean => shape.kind === 'int' || shape.kind === 'double';
