import type { Expr } from './ast.ts';
import type { ExpansionFactory } from './node-factory.ts';

/**
 * Nodes that macros of older Kubernetes minor versions use in several positions of their expansion. These are the accumulator of `map` and
 * `filter`, the 1 of `exists_one`, and the target of `optMap` and `optFlatMap`. Such a node must have the same type in all positions.
 */
export type ReusedNode = 'accumulator' | 'one' | 'target';

/** The syntax that the parser of one Kubernetes minor version accepts. */
export interface Syntax {
  readonly macros: MacroTable;
  /** True if optional syntax is supported: `a.?b`, `a[?i]`, `[?e]`, `{?k: v}`. */
  readonly optionals: boolean;
  /** True if field names in back-ticks are supported. */
  readonly quotedIdentifiers: boolean;
  /**
   * True if the grammar has no back-ticks, as in cel-go before 0.23. The grammar's error messages are then treated as format strings
   * without arguments.
   */
  readonly lacksBackTicks?: boolean;
  /** True if escapes may denote half of a surrogate pair, as in cel-go before 0.23. */
  readonly readsAnyCodePoint?: boolean;
  /** True if a position at the start of a line is reported as the end of the previous line, as in cel-go before 0.21. */
  readonly misplacesLineStarts?: boolean;
  /**
   * True if the accumulator of macros is named `__result__`, as in cel-go before 0.23. An iteration variable may then have the same name.
   */
  readonly spellsAccumulator?: boolean;
  readonly reuses?: ReadonlySet<ReusedNode>;
}

/**
 * Syntax settings as the parser reads them. The parser can only look up one macro, or test one member of `reuses`, at a time. A wrapper can
 * therefore record which settings the parser used.
 */
export interface AskableSyntax extends Omit<Syntax, 'macros' | 'reuses'> {
  readonly macros: Pick<MacroTable, 'get'>;
  readonly reuses?: Pick<ReadonlySet<ReusedNode>, 'has'>;
}

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
type MacroTable = ReadonlyMap<string, Macro>;

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
