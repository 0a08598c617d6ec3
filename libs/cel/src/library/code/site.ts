import { Float } from '#go';
import { js } from './javascript.ts';
import { BOOL_SHAPE } from './shape.ts';
import type { CostVersion } from '../define.ts';
import type { Fragment, NameRole } from './javascript.ts';
import type { Operand, Shape } from './shape.ts';

/**
 * The interface of the code generator for declarations that write JavaScript. Texts of clients reach code only as
 * constants ({@link CodeSite.constants}), never as source.
 */
export interface CodeSite {
  /** Names for values that code refers to. */
  readonly constants: { name(value: unknown): Fragment };
  readonly writer: {
    /** Writes a statement. */
    line(text: Fragment): void;
    /** Leaves with an error where the condition holds. */
    fail(error: Fragment, condition: Fragment): void;
    /** Leaves the evaluation to the interpreter where the condition holds. */
    bail(condition: Fragment): void;
  };
  /** The formulas in force. */
  readonly costs: CostVersion;
  /** Set when what is written takes time that grows with data: the evaluation then looks at its cancellation token. */
  runsLong: boolean;
  /** Declares a constant local variable for an expression. */
  hold(role: NameRole, expression: Fragment): Fragment;
  /** Declares a local variable that changes. */
  declare(role: NameRole, initial: Fragment): Fragment;
  /** An operand as the CEL value that functions take. */
  boxed(operand: Operand): Fragment;
}

/**
 * Writes an overload as JavaScript instead of calling it. Undefined, without any output, if it does not support the
 * operands' shapes. It does not charge the call: the overload's price is already charged.
 */
export type InlineCall = (site: CodeSite, operands: readonly Operand[]) => Operand | undefined;

/** Returns an operand that holds the value of an expression. */
export const computed = (site: CodeSite, shape: Shape, expression: Fragment): Operand => ({
  code: site.hold('value', expression),
  shape,
});

/** Returns the test that tells scalars, lists and floats from objects. */
export function isNoObject(site: Pick<CodeSite, 'constants'>, raw: Fragment): Fragment {
  return js`(typeof ${raw} !== "object" || Array.isArray(${raw}) || ${raw} instanceof ${site.constants.name(Float)})`;
}

/** Makes sure that a raw object is one, where that matters and nothing has shown it yet. */
export function proveObject(site: CodeSite, { code, unproven }: Operand): void {
  if (unproven === true) site.writer.bail(isNoObject(site, code));
}

/** Emits a test if an optional in its code shape has a value. An object must really be one. */
export function testPresence(site: CodeSite, { code, shape }: Operand): Operand {
  if (shape.kind === 'optional' && shape.of.kind === 'rawObject') site.writer.bail(js`${code} !== undefined && ${isNoObject(site, code)}`);
  return { code: js`(${code} !== undefined)`, shape: BOOL_SHAPE };
}
