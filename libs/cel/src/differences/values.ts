import type { MinorDifference } from './minor-difference.ts';

/**
 * Differences in the values of CEL between minor versions of the server. Sources: k8s.io/apiserver/pkg/cel/common (1.34, 1.37), cel-go
 * v0.17.8, v0.22.0 and v0.29.2.
 */
export const VALUE_DIFFERENCES = {
  duplicatesCount: {
    since: 37,
    by: 'server',
    what: "`==` of lists of type set and map counts duplicates: `['a', 'b'] != ['a', 'a']`",
    seen: {
      sentence: 'Since 1.37, lists of the types `set` and `map` are only equal to lists in which each element occurs equally often',
      upstream: 'kubernetes#140293',
    },
  },
  setElementsAreValues: {
    since: 37,
    by: 'server',
    what: 'elements of sets are distinguished by CEL values on both sides',
    seen: {
      sentence: 'Since 1.37, `==` and `+` compare elements of lists of the type `set` as CEL values, so that sets of numbers can be equal',
      upstream: 'kubernetes#140293',
    },
  },
  keysAreFields: {
    since: 37,
    by: 'server',
    what: 'added elements of map lists are distinguished by CEL fields, not by raw data under escaped names',
    seen: {
      sentence: 'Since 1.37, `+` on lists of the type `map` also compares key fields whose names CEL escapes, such as `my-key`',
      upstream: 'kubernetes#140292',
    },
  },
  nullFieldsAgree: {
    since: 34,
    by: 'server',
    what: 'a field that is null on both sides leaves objects equal',
    seen: { sentence: 'Since 1.34, two objects in which the same field is null can be equal', upstream: 'kubernetes#131559' },
  },
  optionalsKeepSchemas: {
    since: 37,
    by: 'server',
    what: 'a variable that is an optional keeps the schema of its value',
    seen: {
      sentence: 'Since 1.37, the value of a variable that is an optional keeps its schema, so that a `date-time` stays a timestamp',
      upstream: 'cel-go#1315',
    },
  },
  optionalsAreAsked: {
    since: 37,
    by: 'server',
    what: '`orValue` and `or` of what is no optional are `no such overload`, before they gave it',
    seen: { sentence: 'Since 1.37, `or` and `orValue` fail if their receiver is no optional value', upstream: 'cel-go#1276' },
  },
  nanPrecedesNothing: {
    since: 38,
    by: 'server',
    what: 'a comparison such as `<` with NaN is false, before it was an error',
    seen: { sentence: 'Since 1.38, a comparison such as `<` with NaN is false, and no error', upstream: 'cel-go#1370' },
  },
  accumulatorsAreLazy: {
    since: 32,
    by: 'server',
    what: "a comprehension computes its accumulator's first value when it is read",
    seen: {
      sentence: 'Since 1.32, a variable of `optMap` or `optFlatMap` that the expression does not read costs nothing',
      upstream: 'cel-go#1032',
    },
  },
  errorsEndChains: {
    since: 31,
    by: 'server',
    what: 'a chain from an error ends before its first step is paid',
    seen: {
      sentence: 'Since 1.31, a selection from a variable that holds an error, such as an element of a wrong type, costs nothing',
      upstream: 'cel-go#889',
    },
  },
  optionalTypeIsNamed: {
    since: 31,
    by: 'server',
    what: 'the type of optionals is called `optional_type`, before `optional`',
    seen: { sentence: 'Since 1.31, the type of optional values is called `optional_type`, and not `optional`', upstream: 'cel-go#870' },
  },
  // The next entry looks like an upstream bug, so a release may revert it. Source: cel-go common/types/list.go `MaybeSliceList`,
  // `MaybeReverseList` (v0.33.2).
  copiesLoseSchemas: {
    since: 38,
    by: 'server',
    what: '`reverse` and `slice` of a list of an object give elements without a schema: a timestamp is a string',
    seen: {
      sentence: 'Since 1.38, `reverse` and `slice` return elements without their schema, so that a `date-time` becomes a string',
      upstream: 'cel-go#1498',
    },
  },
  collectionsAreGeneric: {
    since: 38,
    by: 'server',
    what: 'errors name the Go types `sliceList` and `nativeMap`, before `baseList` and `baseMap`',
    seen: {
      sentence: 'Since 1.38, some errors name the Go types `sliceList` and `nativeMap` in place of `baseList` and `baseMap`',
      upstream: 'cel-go#1498',
    },
  },
} as const satisfies Readonly<Record<string, MinorDifference>>;
