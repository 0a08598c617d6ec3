import type { PatternFunction, PlannedKind } from './define.ts';
import { FUNCTIONS } from './all.ts';

/**
 * Functions that planners compile with special rules, because not all operands are evaluated or because their cost differs from that of a
 * call.
 */
export const PLANNED_FUNCTIONS: ReadonlyMap<string, PlannedKind> = new Map(
  FUNCTIONS.flatMap(({ name, planned }) => (planned === undefined ? [] : [[name, planned] as const])),
);

/** Names of functions that are evaluated at compile time if their argument is a constant. */
export const FOLDED_CONVERSIONS: ReadonlySet<string> = new Set(FUNCTIONS.filter(({ folds }) => folds).map(({ name }) => name));

/**
 * Functions whose second argument is a pattern, by name. Each entry holds the implementation for a compiled pattern and the cost for an
 * unknown overload.
 */
export const PATTERN_FUNCTIONS: ReadonlyMap<string, PatternFunction> = new Map(
  FUNCTIONS.flatMap(({ name, pattern }) => (pattern === undefined ? [] : [[name, pattern] as const])),
);
