import { Float } from '#go';
import { js } from './javascript.ts';
import { BOOL_SHAPE } from './shape.ts';
import type { CostVersion } from '../define.ts';
import type { Fragment, NameRole } from './javascript.ts';
import type { Operand, Shape } from './shape.ts';

/**
 * Where declarations write JavaScript: what they may ask of the code generator. Texts of clients reach code only as constants
 * ({@link CodeSite.constants}), never as source.
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
 * Writes one overload as JavaScript instead of calling it; undefined, and nothing written, for operands in another shape. What the call costs is
 * not its business: the overload's price has been charged.
 */
export type InlineCall = (site: CodeSite, operands: readonly Operand[]) => Operand | undefined;

/** An operand that holds the value of an expression. */
export const computed = (site: CodeSite, shape: Shape, expression: Fragment): Operand => ({
  code: site.hold('value', expression),
  shape,
});

/** The test that tells scalars, lists and floats from objects. */
export function isNoObject(site: Pick<CodeSite, 'constants'>, raw: Fragment): Fragment {
  return js`(typeof ${raw} !== "object" || Array.isArray(${raw}) || ${raw} instanceof ${site.constants.name(Float)})`;
}

/** Makes sure that a raw object is one, where that matters and nothing has shown it yet. */
export function proveObject(site: CodeSite, { code, unproven }: Operand): void {
  if (unproven === true) site.writer.bail(isNoObject(site, code));
}

/** Whether an optional in the shape that code works with holds something; an object has to be one. */
export function testPresence(site: CodeSite, { code, shape }: Operand): Operand {
  if (shape.kind === 'optional' && shape.of.kind === 'rawObject') site.writer.bail(js`${code} !== undefined && ${isNoObject(site, code)}`);
  return { code: js`(${code} !== undefined)`, shape: BOOL_SHAPE };
}
