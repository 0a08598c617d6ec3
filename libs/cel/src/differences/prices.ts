import type { MinorDifference } from './minor-difference.ts';

/**
 * Differences in the costs of CEL between minor versions of the server. They come from the cel-go that each minor version pins:
 *
 * - 1.38 pins v0.33.2, and uses version 0 of its model of costs.
 * - 1.37 pins v0.29.2.
 * - 1.34 to 1.36 pin v0.26.0.
 * - 1.33 pins v0.23.2.
 * - 1.32 pins v0.22.0.
 * - 1.31 pins v0.20.1.
 * - 1.30 pins v0.17.8.
 */
export const PRICE_DIFFERENCES = {
  // These differences concern the bounds that declarations pass to estimates. Source: k8s.io/apiserver/pkg/cel/common/schemas.go (1.33,
  // 1.34, 1.36, 1.37).
  namesAreCapped: {
    since: 37,
    by: 'server',
    what: 'names of resources are known to be short',
    seen: {
      sentence: 'Since 1.37, cost estimates use the maximum length of `metadata.name` and `metadata.generateName`, which is 253',
      upstream: 'kubernetes#139573',
    },
  },
  intOrStringIsBounded: {
    since: 34,
    by: 'server',
    what: '`maxLength` bounds an int-or-string',
    seen: {
      sentence: 'Since 1.34, `maxLength` lowers the cost estimate of a field with `x-kubernetes-int-or-string`',
      upstream: 'kubernetes#132837',
    },
  },
  // These differences concern prices.
  affixTestTraversesArgument: {
    since: 37,
    by: 'server',
    what: '`startsWith` and `endsWith` cost by the argument, before by the receiver',
    seen: {
      sentence:
        'Since 1.37, the cost of evaluating `text.startsWith(part)` or `text.endsWith(part)` depends on the length of `part`, and not of `text`',
      upstream: 'cel-go#1351',
    },
  },
  globalMatchesTraverses: {
    since: 37,
    by: 'server',
    what: 'global `matches(s, p)` costs as `s.matches(p)`, before 1',
    seen: { sentence: 'Since 1.37, `matches(text, pattern)` costs as much as `text.matches(pattern)`', upstream: 'cel-go#1350' },
  },
  libraryEqualityIsFixed: {
    since: 32,
    by: 'server',
    what: '`==` on library types has a price of its own',
    seen: {
      sentence: 'Since 1.32, `==` of values such as `ip(…)`, `url(…)` and `quantity(…)` has a small fixed cost estimate',
      upstream: 'kubernetes#126359',
    },
  },
  messageSizeIsUnknown: {
    since: 31,
    by: 'server',
    what: 'estimates do not know the size of a message literal, before it was 0',
    seen: {
      sentence: 'Since 1.31, cost estimates do not know the size of a message literal, such as `google.protobuf.StringValue{}`',
      upstream: 'cel-go#798',
    },
  },
  optionalsAreUnwrapped: {
    since: 33,
    by: 'server',
    what: "an optional has the size of the value that it holds in cel-go's own prices, before 1",
    seen: {
      sentence: 'Since 1.33, the cost of comparing optional values depends on the sizes of the values that they hold',
      upstream: 'cel-go#1104',
    },
  },
  estimatesFollowEntries: {
    since: 33,
    by: 'server',
    what: 'estimates follow entries of literals, `dyn()`, bound variables and accumulators',
    seen: {
      sentence: 'Since 1.33, cost estimates use the sizes of the elements of literals, of arguments of `dyn`, and of bound variables',
      upstream: 'cel-go#1104',
    },
  },
  costsAreModelled: {
    since: 38,
    by: 'server',
    what: 'the package `common/cost` estimates and counts costs, before `checker/cost.go` and `interpreter/runtimecost.go`',
    seen: {
      sentence: 'Since 1.38, a new model computes costs and cost estimates; expressions with dynamic values have higher estimates',
      upstream: 'cel-go#1441',
    },
  },
  failuresEndCalls: {
    since: 38,
    by: 'server',
    what: 'a failed part ends a call or a literal: what follows is neither evaluated nor charged',
    seen: {
      sentence: 'Since 1.38, a call whose operand fails costs less, because the server neither evaluates nor charges what follows',
      upstream: 'cel-go v0.33.2 interpreter/interpretable.go',
    },
  },
  urlPartsHaveSizes: {
    since: 38,
    by: 'server',
    what: "the parts of a URL have the URL's size in estimates. Source: k8s.io/apiserver/pkg/cel/library/cost.go",
    seen: {
      sentence: 'Since 1.38, cost estimates know that a part of a URL, such as `url(text).getHost()`, is not longer than the URL',
      upstream: 'kubernetes#141984',
    },
  },
  // The next two entries look like upstream bugs, so a release may revert them. Source: cel-go common/cost/estimator.go `costSelect`,
  // `costCall` (v0.33.2).
  presenceTestsHaveSizes: {
    since: 38,
    by: 'server',
    what: '`has(x)` has the size of the field `x` in estimates',
    seen: {
      sentence: 'Since 1.38, the cost estimate of a comparison such as `has(self.a) == has(self.b)` depends on the sizes of both fields',
      upstream: 'cel-go v0.33.2 common/cost/estimator.go',
    },
  },
  computedEntriesAreUnbounded: {
    since: 38,
    by: 'server',
    what: "an entry of a computed value has no size in estimates, before that of the schema's root",
    seen: {
      sentence: 'Since 1.38, cost estimates do not know the size of an element of a computed list, such as `self.name.split("/")[0]`',
      upstream: 'cel-go v0.33.2 common/cost/estimator.go',
    },
  },
} as const satisfies Readonly<Record<string, MinorDifference>>;
