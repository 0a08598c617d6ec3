import type { MacroTable } from './macro.ts';

/** What a language version allows. */
export interface Syntax {
  readonly macros: MacroTable;
  /** `a.?b`, `a[?i]`, `[?e]`, `{?k: v}`. */
  readonly optionals: boolean;
  /** Back-ticked field names. */
  readonly quotedIdentifiers: boolean;
  /** A grammar without back-ticks, whose complaints pass for format strings without arguments: cel-go before 0.23. */
  readonly lacksBackTicks?: boolean;
  /** Places at the start of a line are given as the end of the line before: cel-go before 0.21. */
  readonly misplacesLineStarts?: boolean;
}
