import type { PatternFunction, PlannedKind } from './define.ts';
import { FUNCTIONS } from './all.ts';

/** Functions that planners treat by themselves, because not all operands are evaluated or the cost differs from a call's. */
export const PLANNED_FUNCTIONS: ReadonlyMap<string, PlannedKind> = new Map(
  FUNCTIONS.flatMap(({ name, planned }) => (planned === undefined ? [] : [[name, planned] as const])),
);

/** Functions that are computed at compile time when their argument is a constant. */
export const FOLDED_CONVERSIONS: ReadonlySet<string> = new Set(FUNCTIONS.filter(({ folds }) => folds).map(({ name }) => name));

/**
 * Functions whose second argument is a pattern, with their implementation for a compiled pattern and their cost for an
 * unknown overload.
 */
export const PATTERN_FUNCTIONS: ReadonlyMap<string, PatternFunction> = new Map(
  FUNCTIONS.flatMap(({ name, pattern }) => (pattern === undefined ? [] : [[name, pattern] as const])),
);
