import { OPERATOR } from '../../library/names.ts';

/** Name of the accumulator variable of comprehensions. It cannot be written in the text of an expression. */
export const ACCUMULATOR = '@result';

/** Name of the accumulator variable before cel-go 0.23. Newer versions still reject it as an iteration variable. */
export const LEGACY_ACCUMULATOR = '__result__';

/** Names of the functions that implement the relational operators, by the operator's text. */
export const RELATIONS: Readonly<Record<string, string>> = {
  '<': OPERATOR.less,
  '<=': OPERATOR.lessEquals,
  '>=': OPERATOR.greaterEquals,
  '>': OPERATOR.greater,
  '==': OPERATOR.equals,
  '!=': OPERATOR.notEquals,
  in: OPERATOR.in,
};

/** Returns true if a name is the name of the accumulator variable in any Kubernetes minor version. */
export const isAccumulator = (name: string): boolean => name === ACCUMULATOR || name === LEGACY_ACCUMULATOR;
