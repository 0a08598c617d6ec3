import { isAccumulator } from '../operators.ts';
import { refuse } from '../macro.ts';
import type { Expansion } from '../macro.ts';
import type { Expr } from '../ast.ts';
import type { ExpansionFactory } from '../node-factory.ts';

/** Name in a macro argument, or the error if the argument is not a name or the name is not allowed. */
export type VariableName = { readonly ok: true; readonly name: string } | { readonly ok: false; readonly refusal: Expansion };

/**
 * Returns the iteration variable of a macro with one variable. `complaint` is the macro's error message for an argument that is not a name.
 */
export function iterationVariable(nodes: ExpansionFactory, argument: Expr, complaint: string): VariableName {
  if (argument.kind !== 'ident') return { ok: false, refusal: refuse(argument, complaint) };
  if (nodes.isReserved(argument.name)) return { ok: false, refusal: refuse(argument, OVERWRITES) };
  return { ok: true, name: argument.name };
}

/**
 * Returns both iteration variables of a macro with two variables, or an error for an invalid variable. Source: cel-go ext/comprehensions.go
 * `extractIterVars` (v0.29.2).
 */
export function iterationVariables(
  first: Expr,
  second: Expr,
): { readonly ok: true; readonly variable: string; readonly variable2: string } | { readonly ok: false; readonly refusal: Expansion } {
  if (first.kind !== 'ident') return { ok: false, refusal: refuse(first, NOT_SIMPLE) };
  if (second.kind !== 'ident') return { ok: false, refusal: refuse(second, NOT_SIMPLE) };
  if (first.name === second.name) return { ok: false, refusal: refuse(second, `duplicate variable name: ${first.name}`) };
  if (isAccumulator(first.name)) return { ok: false, refusal: refuse(first, OVERWRITES) };
  if (isAccumulator(second.name)) return { ok: false, refusal: refuse(second, OVERWRITES) };
  return { ok: true, variable: first.name, variable2: second.name };
}

/**
 * Error message of macros for an iteration variable that is not a name. Source: cel-go parser/macro.go, ext/comprehensions.go (v0.29.2).
 */
export const NOT_SIMPLE = 'argument must be a simple name';
const OVERWRITES = 'iteration variable overwrites accumulator variable';
