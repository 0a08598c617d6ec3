import { Float } from '#go';
import type { CostVersion } from '../define.ts';
import { js } from './javascript.ts';
import type { Fragment, NameRole } from './javascript.ts';
import { BOOL_SHAPE } from './shape.ts';
import type { Operand, Shape } from './shape.ts';

/**
 * Part of the code generator that function declarations use to emit JavaScript. Texts of clients become constants ({@link
 * CodeSite.constants}) and are never part of the source.
 */
export interface CodeSite {
  /** Constants of the generated code. `name` returns the name by which the code refers to a value. */
  readonly constants: { name(value: unknown): Fragment };
  readonly writer: {
    /** Emits a statement. */
    line(text: Fragment): void;
    /** Emits code that, if `condition` is true, stops evaluating the current expression or operand with the error `error`. */
    fail(error: Fragment, condition: Fragment): void;
    /** Emits code that returns undefined if `condition` is true. The interpreter then evaluates the expression. */
    bail(condition: Fragment): void;
  };
  /** Cost formulas of the Kubernetes minor version for which code is generated. */
  readonly costs: CostVersion;
  /**
   * True if the run time of the emitted code grows with the data. The evaluation then checks its cancellation token. Functions that emit
   * such code set this property.
   */
  runsLong: boolean;
  /** Emits a constant local variable with the value of an expression, and returns its name. */
  hold(role: NameRole, expression: Fragment): Fragment;
  /** Emits a local variable whose value changes, and returns its name. */
  declare(role: NameRole, initial: Fragment): Fragment;
  /** Returns code that converts an operand to a CEL value, which is the representation that functions expect. */
  boxed(operand: Operand): Fragment;
}

/**
 * Function that emits JavaScript code which computes the result of an overload directly, without a function call. If the function does not
 * support the operands' representations, it emits nothing and returns undefined. The caller charges the cost of the overload.
 */
export type InlineCall = (site: CodeSite, operands: readonly Operand[]) => Operand | undefined;

/** Emits a variable with the value of an expression, and returns it as an operand. */
export const computed = (site: CodeSite, shape: Shape, expression: Fragment): Operand => ({
  code: site.hold('value', expression),
  shape,
});

/** Returns code that tests whether the JSON value `raw` is a scalar or a list instead of a JSON object. `raw` must not be null. */
export function isNoObject(site: Pick<CodeSite, 'constants'>, raw: Fragment): Fragment {
  return js`(typeof ${raw} !== "object" || Array.isArray(${raw}) || ${raw} instanceof ${site.constants.name(Float)})`;
}

/**
 * Emits a test that the operand, which is unconverted JSON data, is a JSON object. Emits nothing if this is already proven. If the test
 * fails, the generated code returns undefined.
 */
export function proveObject(site: CodeSite, { code, unproven }: Operand): void {
  if (unproven === true) site.writer.bail(isNoObject(site, code));
}

/**
 * Emits a test that is true if an optional has a value. If the value should be a JSON object but has another type, the code returns
 * undefined.
 */
export function testPresence(site: CodeSite, { code, shape }: Operand): Operand {
  if (shape.kind === 'optional' && shape.of.kind === 'rawObject') site.writer.bail(js`${code} !== undefined && ${isNoObject(site, code)}`);
  return { code: js`(${code} !== undefined)`, shape: BOOL_SHAPE };
}

/** Two emitters of code for a call that processes the elements of a list one by one. */
interface Reduction {
  /** Emits the code that processes one element. The element has the representation of its declared type. */
  readonly take: (element: Operand) => void;
  /** Emits the code that computes the result after all elements are processed, and returns the operand with this result. */
  readonly result: () => Operand;
}

/**
 * Function that emits code for a call such as `list.map(…).sum()`, whose argument is a list that only this call uses. The code processes
 * the elements of the list one by one and never stores the list. The function declares the variables of the code. It returns two emitters:
 * one for an element, and one for the result. `count` is code for the number of elements processed so far.
 */
export type InlineReduction = (site: CodeSite, count: Fragment) => Reduction;
