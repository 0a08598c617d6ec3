import type { MinorDifference } from './minor-difference.ts';

/**
 * Differences in the language of CEL between minor versions of the server. Source: k8s.io/apiserver/pkg/cel/environment/base.go (1.37),
 * cel-go parser (v0.17.8 to v0.29.2).
 */
export const LANGUAGE_DIFFERENCES = {
  optionals: {
    since: 28,
    by: 'compatibility',
    what: 'optional values, `?.`, `[?]` and their macros',
    seen: undefined,
    unseen: 'all versions that Assay knows have it',
  },
  twoVariableMacros: {
    since: 32,
    by: 'compatibility',
    what: 'comprehensions with two variables',
    seen: {
      sentence: 'Since 1.32, a server evaluates macros with two variables, such as `all(i, v, …)`; it accepts them in new rules since 1.33',
      upstream: 'cel-go#1034',
    },
  },
  sortByMacro: {
    since: 34,
    by: 'compatibility',
    what: '`sortBy`',
    seen: {
      sentence: 'Since 1.34, a server evaluates the macro `sortBy`; it accepts this macro in new rules since 1.35',
      upstream: 'kubernetes#131700',
    },
  },
  keywordFields: {
    since: 31,
    by: 'compatibility',
    what: '`self.namespace` finds the field `__namespace__`',
    seen: {
      sentence:
        'Since 1.31, a server evaluates fields that are named like reserved words, such as `self.namespace`; it accepts them in new rules since 1.32',
      upstream: 'kubernetes#126188',
    },
  },
  formatsAreChecked: {
    since: 31,
    by: 'server',
    what: 'literal format strings are checked when an expression is compiled',
    seen: {
      sentence: 'Since 1.31, a server refuses a rule whose literal format string does not fit its arguments',
      upstream: 'cel-go#775',
    },
  },
  accumulatorIsCopied: {
    since: 31,
    by: 'server',
    what: 'macros make a node for each reading of the accumulator',
    seen: { sentence: 'Since 1.31, the error about a macro in the receiver of `optMap` contains another number', upstream: 'cel-go#866' },
  },
  oneIsCopied: {
    since: 32,
    by: 'server',
    what: 'macros make a node for each `1`',
    seen: undefined,
    unseen: 'only numbers of nodes change, and no answer of 1.32 contains such a number',
  },
  targetIsCopied: {
    since: 32,
    by: 'server',
    what: 'macros make a node for each use of their target',
    seen: { sentence: 'Since 1.32, the receiver of `optMap` and `optFlatMap` may contain a macro, such as `map`', upstream: 'cel-go#917' },
  },
  lineStartsBelong: {
    since: 32,
    by: 'server',
    what: 'the start of a line is placed in that line',
    seen: {
      sentence: 'Since 1.32, an error at the first character of a line names this line, and not the line before',
      upstream: 'cel-go#936',
    },
  },
  backTicks: {
    since: 33,
    by: 'server',
    what: 'the grammar knows back-ticks',
    seen: { sentence: 'Since 1.33, the error about a back-tick in an expression has another text', upstream: 'cel-go#1002' },
  },
  codePointsAreChecked: {
    since: 33,
    by: 'server',
    what: 'escapes of halves of surrogate pairs are refused',
    seen: { sentence: 'Since 1.33, a server refuses escapes of surrogates, such as `"\\ud800"`', upstream: 'cel-go#1094' },
  },
  accumulatorIsHidden: {
    since: 33,
    by: 'server',
    what: 'macros accumulate into a variable that no text can spell',
    seen: {
      sentence: 'Since 1.33, an expression cannot read the internal variable `__result__` of a macro',
      upstream: 'cel-go#1099',
    },
  },
  namesAreSuggested: {
    since: 38,
    by: 'server',
    what: 'errors about unknown names suggest similar names, and name no container',
    seen: {
      sentence: "Since 1.38, errors about unknown names suggest similar names, and leave out `(in container '')`",
      upstream: 'cel-go v0.33.2 checker/errors.go',
    },
  },
  typesOfTypesUnify: {
    since: 38,
    by: 'server',
    what: '`type(T)` fits `type(U)` only if `T` and `U` unify, where one of them has a type parameter. Source: cel-go checker/types.go (v0.33.2)',
    seen: {
      sentence: 'Since 1.38, a server refuses a comparison of two types that can never be equal, such as `type([]) == int`',
      upstream: 'cel-go#1479',
    },
  },
  quotedIdentifiers: {
    since: 37,
    by: 'server',
    what: 'field names may stand in back-ticks',
    seen: { sentence: "Since 1.37, back-ticks may quote the key of a map, as in ``{'a-b': 1}.`a-b` ``", upstream: 'cel-go#1295' },
  },
} as const satisfies Readonly<Record<string, MinorDifference>>;
