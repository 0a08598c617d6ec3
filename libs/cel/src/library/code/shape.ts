import type { ValueSchema } from '../../values/schema/value-schema.ts';
import { DYN } from '../../values/types/type.ts';
import type { CelType } from '../../values/types/type.ts';
import { joined, js } from './javascript.ts';
import type { Fragment } from './javascript.ts';

/**
 * Representation of a value in generated code. Scalars of known type, and raw data (the JSON data of an object) with a schema, are used
 * directly. All other values are CEL values. No shape contains an error, because code that meets an error ends the evaluation immediately.
 */
export type Shape =
  /**
   * Scalar: a JavaScript boolean (`bool`), a safe integer (`int`), a number that is a double, integral or not (`double`), or a string
   * (`string`).
   */
  | { readonly kind: 'bool' | 'int' | 'double' | 'string' }
  /**
   * Raw data: an object with declared fields (`rawObject`), an object whose values all have one schema (`rawMap`), or an array (`rawList`).
   */
  | { readonly kind: 'rawObject' | 'rawMap' | 'rawList'; readonly schema: ValueSchema }
  /**
   * A list of 32-bit ints (`intColumn`) or of texts (`textColumn`) that the JSON reader stored in a column: one array of integers for all
   * elements.
   */
  | { readonly kind: 'intColumn' | 'textColumn' }
  /** A list that generated code made: an array of CEL values. */
  | { readonly kind: 'array'; readonly element: CelType }
  /** A list of which only the number of elements is kept. The operand's code is this number. */
  | { readonly kind: 'counted' }
  /** An optional: the value that it holds, in the shape `of`, or undefined if it holds no value. */
  | { readonly kind: 'optional'; readonly of: Shape }
  /**
   * Any value that has none of the shapes above, as a CEL value. Its type may be one of theirs, for example an int beyond the safe range.
   */
  | { readonly kind: 'value'; readonly type: CelType };

/**
 * Position of a string within a larger text: from offset `from` up to offset `to`, which is excluded. No character of the string needs two
 * UTF-16 units.
 */
export interface TextWindow {
  /** Returns code that reads the UTF-16 unit at an offset of the text. */
  readonly unitAt: (offset: Fragment) => Fragment;
  readonly from: Fragment;
  readonly to: Fragment;
}

/** Code of a value that has already been computed: a name or a literal. The code may be used repeatedly. */
export interface Operand {
  readonly code: Fragment;
  readonly shape: Shape;
  /** The value, if it is known when the code is generated. */
  readonly constant?: unknown;
  /**
   * Position of the string inside a longer text. `code` copies the string out of the text. Code that only reads characters can avoid the
   * copy by reading them at this position.
   */
  readonly window?: TextWindow;
  /**
   * True for a string that is known to contain only characters of one UTF-16 unit. Its number of code points is then its number of units.
   */
  readonly isPlain?: boolean;
  /**
   * True for a raw object that is not yet proven to be an object: it is only known to be neither null nor a scalar. A field that is found
   * in it proves that it is an object.
   */
  readonly unproven?: boolean;
}

/**
 * Representation of a bool as a JavaScript boolean in generated code. The three constants below represent an int as a safe integer, a
 * double as a number, and a string as a JavaScript string.
 */
export const BOOL_SHAPE: Shape = { kind: 'bool' };
export const INT_SHAPE: Shape = { kind: 'int' };
export const DOUBLE_SHAPE: Shape = { kind: 'double' };
export const STRING_SHAPE: Shape = { kind: 'string' };

/** Representation of an empty optional, whatever its type is. */
export const NONE_SHAPE: Shape = { kind: 'optional', of: { kind: 'value', type: DYN } };

/**
 * Returns the representation of values of a type: JavaScript values for bool, int, double and string, and CEL values for all other types.
 */
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

/** Returns true if generated code represents values of this shape as JavaScript numbers. */
export const isNumeric = (shape: Shape): boolean => shape.kind === 'int' || shape.kind === 'double';

/**
 * Maximum length, in UTF-16 units, of a short constant. Generated code compares a short constant with a text one unit at a time. V8 inlines
 * such a comparison.
 */
export const SHORT_TEXT = 12;

/** Returns generated code that computes the number of UTF-16 units of a string. The string may be a part of a longer text (`window`). */
export function unitCount({ code, window }: Operand): Fragment {
  return window === undefined ? js`${code}.length` : js`(${window.to} - ${window.from})`;
}

/**
 * Returns code that tests if a string begins (`end` is `from`) or ends (`end` is `to`) with a constant. Each fragment compares one UTF-16
 * unit. If the string is a part of a longer text (`window`), the code reads that text and does not copy the string.
 */
export function unitTests({ code, window }: Operand, constant: string, end: keyof Pick<TextWindow, 'from' | 'to'>): Fragment[] {
  const { length } = constant;
  const unitAt = window?.unitAt ?? ((at: Fragment): Fragment => js`${code}.charCodeAt(${at})`);
  const offset = (i: number): Fragment => {
    if (end === 'to') return js`${window?.to ?? js`${code}.length`} - ${length - i}`;
    return window === undefined ? js`${i}` : js`${window.from} + ${i}`;
  };
  return Array.from({ length }, (_, i) => js`${unitAt(offset(i))} === ${constant.charCodeAt(i)}`);
}

/**
 * Returns generated code that tests if a text equals a constant. `code` is generated code of this constant. The test compares the lengths
 * first, which decides most cases. If the text is a part of a longer text (`window`) and the constant is short, the test does not copy the
 * text.
 */
export function sameText(text: Operand, constant: string, code: Fragment): Fragment {
  const isInPlace = text.window !== undefined && constant.length <= SHORT_TEXT;
  const units = isInPlace ? unitTests(text, constant, 'from') : [js`${text.code} === ${code}`];
  return joined([js`${unitCount(text)} === ${constant.length}`, ...units], ' && ');
}
