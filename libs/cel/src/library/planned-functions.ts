import type { PatternFunction, PlannedKind } from './define.ts';
import { FUNCTIONS } from './all.ts';

/**
 * Functions and operators whose calls the interpreter and the code generator handle in a special way, by name. They are special because not
 * all operands are evaluated, or because the cost differs from the cost of a normal call.
 */
export const PLANNED_FUNCTIONS: ReadonlyMap<string, PlannedKind> = new Map(
  FUNCTIONS.flatMap(({ name, planned }) => (planned === undefined ? [] : [[name, planned] as const])),
);

/** Names of the functions whose calls are computed in advance, during planning, if the argument is a constant. */
export const FOLDED_CONVERSIONS: ReadonlySet<string> = new Set(FUNCTIONS.filter(({ folds }) => folds).map(({ name }) => name));

/**
 * Implementations and run-time costs of the functions whose second argument is a pattern, by function name. They are used if the pattern is
 * compiled in advance.
 */
export const PATTERN_FUNCTIONS: ReadonlyMap<string, PatternFunction> = new Map(
  FUNCTIONS.flatMap(({ name, pattern }) => (pattern === undefined ? [] : [[name, pattern] as const])),
);
