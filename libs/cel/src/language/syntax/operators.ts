import { OPERATOR } from '../../library/names.ts';

/** The variable that folds accumulate into. Not a name that source text can spell. */
export const ACCUMULATOR = '@result';

/** The accumulator's name before cel-go 0.23; still refused as an iteration variable. */
export const LEGACY_ACCUMULATOR = '__result__';

/** Relational operators and their functions, by their spelling. */
export const RELATIONS: Readonly<Record<string, string>> = {
  '<': OPERATOR.less,
  '<=': OPERATOR.lessEquals,
  '>=': OPERATOR.greaterEquals,
  '>': OPERATOR.greater,
  '==': OPERATOR.equals,
  '!=': OPERATOR.notEquals,
  in: OPERATOR.in,
};

/** Returns true if a name is the accumulator variable of folds in any minor. */
export const isAccumulator = (name: string): boolean => name === ACCUMULATOR || name === LEGACY_ACCUMULATOR;
