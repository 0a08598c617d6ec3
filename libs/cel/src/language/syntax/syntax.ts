import type { MacroTable } from './macro.ts';

/**
 * Nodes that macros of older minors use in several places of their expansion. These are the accumulator of `map` and `filter`, the 1 of
 * `exists_one`, and the target of `optMap` and `optFlatMap`. Such a node must have the same type in all places.
 */
export type ReusedNode = 'accumulator' | 'one' | 'target';

/** The syntax of a language version. */
export interface Syntax {
  readonly macros: MacroTable;
  /** True if optional syntax is supported: `a.?b`, `a[?i]`, `[?e]`, `{?k: v}`. */
  readonly optionals: boolean;
  /** True if field names in back-ticks are supported. */
  readonly quotedIdentifiers: boolean;
  /**
   * True if the grammar has no back-ticks. Its error messages are then treated as format strings without arguments. This applies to cel-go
   * before 0.23.
   */
  readonly lacksBackTicks?: boolean;
  /** True if escapes may denote half of a surrogate pair: cel-go before 0.23. */
  readonly readsAnyCodePoint?: boolean;
  /** True if a position at the start of a line is reported as the end of the line before: cel-go before 0.21. */
  readonly misplacesLineStarts?: boolean;
  /** True if the accumulator of macros has the name `__result__`, which an iteration variable may also have: cel-go before 0.23. */
  readonly spellsAccumulator?: boolean;
  readonly reuses?: ReadonlySet<ReusedNode>;
}

/** A syntax as the parser uses it: with a look-up of macros and a look-up of reused nodes. */
export interface AskableSyntax extends Omit<Syntax, 'macros' | 'reuses'> {
  readonly macros: Pick<MacroTable, 'get'>;
  readonly reuses?: Pick<ReadonlySet<ReusedNode>, 'has'>;
}
