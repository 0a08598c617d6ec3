/**
 * Names of the functions that the grammar and the macros produce. All other function names stand in `functions/` only.
 * Source: cel-go common/operators/operators.go (v0.29.2).
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

/** Functions that macro expansions call. Source: cel-go cel/library.go, ext/comprehensions.go, ext/lists.go (v0.29.2). */
export const EXPANSION = {
  hasValue: 'hasValue',
  value: 'value',
  optionalOf: 'optional.of',
  optionalNone: 'optional.none',
  mapInsert: 'cel.@mapInsert',
  sortByAssociatedKeys: '@sortByAssociatedKeys',
  dyn: 'dyn',
} as const;

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

/** Whether a name is that of the variable that folds accumulate into, in any minor. */
export const isAccumulator = (name: string): boolean => name === ACCUMULATOR || name === LEGACY_ACCUMULATOR;
