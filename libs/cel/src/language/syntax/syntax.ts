import type { MacroTable } from './macro.ts';

/**
 * Nodes that macros of older minors use at several places of their expansion. These are the accumulator of `map` and
 * `filter`, the 1 of `exists_one`, and the target of `optMap` and `optFlatMap`. Such a node must have one type at all
 * places.
 */
export type ReusedNode = 'accumulator' | 'one' | 'target';

/** The syntax of a language version. */
export interface Syntax {
  readonly macros: MacroTable;
  /** `a.?b`, `a[?i]`, `[?e]`, `{?k: v}`. */
  readonly optionals: boolean;
  /** Back-ticked field names. */
  readonly quotedIdentifiers: boolean;
  /** A grammar without back-ticks, whose complaints pass for format strings without arguments: cel-go before 0.23. */
  readonly lacksBackTicks?: boolean;
  /** Escapes of halves of surrogate pairs are read: cel-go before 0.23. */
  readonly readsAnyCodePoint?: boolean;
  /** Places at the start of a line are given as the end of the line before: cel-go before 0.21. */
  readonly misplacesLineStarts?: boolean;
  /** The accumulator of macros is called `__result__`, and an iteration variable may have that name too: cel-go before 0.23. */
  readonly spellsAccumulator?: boolean;
  readonly reuses?: ReadonlySet<ReusedNode>;
}

/** A syntax as the parser asks it: for the macro that a call may be, for one flag or another. */
export interface AskableSyntax extends Omit<Syntax, 'macros' | 'reuses'> {
  readonly macros: Pick<MacroTable, 'get'>;
  readonly reuses?: Pick<ReadonlySet<ReusedNode>, 'has'>;
}
