import type { ExpansionFactory } from './node-factory.ts';
import type { Expr } from './ast.ts';

/** Result of expanding a macro call: an expression, or an error in an argument. */
export type Expansion = Expr | { readonly kind: 'error'; readonly at: Expr; readonly message: string };

/** A macro: a call that the parser replaces by other nodes. */
export interface Macro {
  readonly name: string;
  readonly arguments: number;
  readonly style: 'function' | 'method';
  readonly expand: (nodes: ExpansionFactory, args: readonly Expr[], target: Expr | undefined) => Expansion;
}

/** Macros by the key that {@link macroKey} returns. */
export type MacroTable = ReadonlyMap<string, Macro>;

/** Returns the key by which a macro is found: its name, number of arguments and style. */
export function macroKey(name: string, args: number, style: 'function' | 'method'): string {
  return `${name}:${args}:${style}`;
}

/** Returns the table of the given macros. If two macros have the same key, the last one is used. */
export function macroTable(macros: readonly Macro[]): MacroTable {
  return new Map(macros.map((macro) => [macroKey(macro.name, macro.arguments, macro.style), macro]));
}

/** Returns the result of an expansion that fails with the error `message` at the node `at`. */
export const refuse = (at: Expr, message: string): Expansion => ({ kind: 'error', at, message });
