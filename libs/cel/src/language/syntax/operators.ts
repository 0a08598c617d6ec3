import { OPERATOR } from '../../library/names.ts';

/** Name of the accumulator variable of comprehensions. It cannot be written in the text of an expression. */
export const ACCUMULATOR = '@result';

/** Name of the accumulator before cel-go 0.23. It is still rejected as an iteration variable. */
export const LEGACY_ACCUMULATOR = '__result__';

/** Functions of the relational operators, by the operator's text. */
export const RELATIONS: Readonly<Record<string, string>> = {
  '<': OPERATOR.less,
  '<=': OPERATOR.lessEquals,
  '>=': OPERATOR.greaterEquals,
  '>': OPERATOR.greater,
  '==': OPERATOR.equals,
  '!=': OPERATOR.notEquals,
  in: OPERATOR.in,
};

/** Returns true if a name is the accumulator variable of comprehensions in any minor. */
export const isAccumulator = (name: string): boolean => name === ACCUMULATOR || name === LEGACY_ACCUMULATOR;
