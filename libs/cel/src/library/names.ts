/**
 * Names of the functions to which the parser converts operators and macros. The declarations and the parser share these constants. All
 * other function names occur only in declarations. Source: cel-go common/operators/operators.go (v0.29.2).
 */
export const OPERATOR = {
  conditional: '_?_:_',
  and: '_&&_',
  or: '_||_',
  not: '!_',
  notStrictlyFalse: '@not_strictly_false',
  negate: '-_',
  equals: '_==_',
  notEquals: '_!=_',
  less: '_<_',
  lessEquals: '_<=_',
  greater: '_>_',
  greaterEquals: '_>=_',
  in: '@in',
  add: '_+_',
  subtract: '_-_',
  multiply: '_*_',
  divide: '_/_',
  modulo: '_%_',
  index: '_[_]',
  optionalIndex: '_[?_]',
  optionalSelect: '_?._',
} as const;

/** Names of the functions that macro expansions call, and of a function whose argument estimates look at. Source: cel-go cel/library.go, ext/comprehensions.go, ext/lists.go (v0.29.2). */
export const EXPANSION = {
  hasValue: 'hasValue',
  value: 'value',
  optionalOf: 'optional.of',
  optionalNone: 'optional.none',
  optionalOfNonZeroValue: 'optional.ofNonZeroValue',
  mapInsert: 'cel.@mapInsert',
  sortByAssociatedKeys: '@sortByAssociatedKeys',
  dyn: 'dyn',
} as const;

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
