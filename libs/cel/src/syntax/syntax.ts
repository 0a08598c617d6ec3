import type { MacroTable } from './macro.ts';

/** What a language version allows. */
export interface Syntax {
  readonly macros: MacroTable;
  /** `a.?b`, `a[?i]`, `[?e]`, `{?k: v}`. */
  readonly optionals: boolean;
  /** Back-ticked field names. */
  readonly quotedIdentifiers: boolean;
}
