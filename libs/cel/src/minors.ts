import { minorNumber, MINORS } from '#kube';
import type { Minor } from '#kube';

/**
 * One difference in CEL between minor versions of the server. Declarations of functions and type names contain their own version ranges
 * instead (`since`, `until`, `binarySince`, `binaryUntil`).
 *
 * To add a minor version, read this file and extend the list `DIFFERENCES`; `minors.spec.ts` names every entry.
 */
export interface MinorDifference {
  /** First minor version (number after the dot) with the later behaviour. */
  readonly since: number;
  /**
   * Version with which `since` is compared: the server's own minor version, or the compatibility version. For new expressions, the
   * compatibility version is one minor version lower than the server's.
   */
  readonly by: 'server' | 'compatibility';
  /** Description of the behaviour since the version `since`. */
  readonly what: string;
}

const server = (since: number, what: string): MinorDifference => ({ since, by: 'server', what });
const compatibility = (since: number, what: string): MinorDifference => ({ since, by: 'compatibility', what });

/** All differences in CEL between minor versions of the server, except version ranges in the declarations of functions and type names. */
export const DIFFERENCES = {
  // Values. Sources: k8s.io/apiserver/pkg/cel/common (1.34, 1.37), cel-go v0.17.8, v0.22.0 and v0.29.2.
  duplicatesCount: server(37, "`==` of lists of type set and map counts duplicates: `['a', 'b'] != ['a', 'a']`"),
  setElementsAreValues: server(37, 'elements of sets are told apart by CEL values on both sides'),
  keysAreFields: server(37, 'added elements of map lists are told apart by CEL fields, not by raw data under escaped names'),
  nullFieldsAgree: server(34, 'a field that is null on both sides leaves objects equal'),
  optionalsKeepSchemas: server(37, 'a variable that is an optional keeps the schema of its value'),
  optionalsAreAsked: server(37, '`orValue` and `or` of what is no optional are `no such overload`, before they gave it'),
  nanPrecedesNothing: server(38, 'a comparison such as `<` with NaN is false, before it was an error'),
  accumulatorsAreLazy: server(32, "a comprehension computes its accumulator's first value when it is read"),
  errorsEndChains: server(31, 'a chain from an error ends before its first step is paid'),
  optionalTypeIsNamed: server(31, 'the type of optionals is called `optional_type`, before `optional`'),
  // The next entry looks unintended upstream: a release may take it back. Source: cel-go common/types/list.go `MaybeSliceList`, `MaybeReverseList` (v0.33.2).
  copiesLoseSchemas: server(38, '`reverse` and `slice` of a list of an object give elements without a schema: a timestamp is a string'),
  collectionsAreGeneric: server(38, 'errors name the Go types `sliceList` and `nativeMap`, before `baseList` and `baseMap`'),
  // Declarations. Source: k8s.io/apiserver/pkg/cel/common/schemas.go (1.33, 1.34, 1.36, 1.37).
  namesAreCapped: server(37, 'names of resources are known to be short'),
  intOrStringIsBounded: server(34, '`maxLength` bounds an int-or-string'),
  // Prices. The cel-go that a minor pins: 1.38 v0.33.2 (at version 0 of its model of costs), 1.37 v0.29.2, 1.34 to 1.36 v0.26.0, 1.33 v0.23.2, 1.32 v0.22.0, 1.31 v0.20.1, 1.30 v0.17.8.
  affixTestTraversesArgument: server(37, '`startsWith` and `endsWith` cost by the argument, before by the receiver'),
  globalMatchesTraverses: server(37, 'global `matches(s, p)` costs as `s.matches(p)`, before 1'),
  libraryEqualityIsFixed: server(32, '`==` on library types has a price of its own'),
  messageSizeIsUnknown: server(31, 'estimates do not know the size of a message literal, before it was 0'),
  optionalsAreUnwrapped: server(33, "an optional has the size of the value that it holds in cel-go's own prices, before 1"),
  estimatesFollowEntries: server(33, 'estimates follow entries of literals, `dyn()`, bound variables and accumulators'),
  costsAreModelled: server(
    38,
    'the package `common/cost` estimates and counts costs, before `checker/cost.go` and `interpreter/runtimecost.go`',
  ),
  failuresEndCalls: server(38, 'a failed part ends a call or a literal: what follows is neither evaluated nor charged'),
  urlPartsHaveSizes: server(38, "the parts of a URL have the URL's size in estimates. Source: k8s.io/apiserver/pkg/cel/library/cost.go"),
  // These two look unintended upstream: a release may take them back. Source: cel-go common/cost/estimator.go `costSelect`, `costCall` (v0.33.2).
  presenceTestsHaveSizes: server(38, '`has(x)` has the size of the field `x` in estimates'),
  computedEntriesAreUnbounded: server(38, "an entry of a computed value has no size in estimates, before that of the schema's root"),
  // Language. Source: k8s.io/apiserver/pkg/cel/environment/base.go (1.37), cel-go parser (v0.17.8 to v0.29.2).
  optionals: compatibility(28, 'optional values, `?.`, `[?]` and their macros'),
  twoVariableMacros: compatibility(32, 'comprehensions with two variables'),
  sortByMacro: compatibility(34, '`sortBy`'),
  keywordFields: compatibility(31, '`self.namespace` finds the field `__namespace__`'),
  formatsAreChecked: server(31, 'literal format strings are checked when an expression is compiled'),
  accumulatorIsCopied: server(31, 'macros make a node for each reading of the accumulator'),
  oneIsCopied: server(32, 'macros make a node for each `1`'),
  targetIsCopied: server(32, 'macros make a node for each use of their target'),
  lineStartsBelong: server(32, 'the start of a line is placed in that line'),
  backTicks: server(33, 'the grammar knows back-ticks'),
  codePointsAreChecked: server(33, 'escapes of halves of surrogate pairs are refused'),
  accumulatorIsHidden: server(33, 'macros accumulate into a variable that no text can spell'),
  namesAreSuggested: server(38, 'errors about unknown names suggest similar names, and name no container'),
  typesOfTypesUnify: server(
    38,
    '`type(T)` fits `type(U)` only if `T` and `U` unify, where one of them has a type parameter. Source: cel-go checker/types.go (v0.33.2)',
  ),
  quotedIdentifiers: server(37, 'field names may stand in back-ticks'),
} as const satisfies Readonly<Record<string, MinorDifference>>;

/** Name of an entry in `DIFFERENCES`. */
export type DifferenceName = keyof typeof DIFFERENCES;

/**
 * Versions of a server on which the behaviour of expressions depends, as numbers after the dot. `server` is the server's minor version.
 * `compatibility` is the compatibility version, which selects the offered features.
 */
export interface Release {
  readonly server: number;
  readonly compatibility: number;
}

/**
 * Returns the minor version and the compatibility version that determine how a server of the given minor version treats new or stored
 * expressions. New expressions may use only features that the previous minor version knows too.
 */
export function releaseOf(minor: Minor, use: 'new' | 'stored' = 'stored'): Release {
  const number = minorNumber(minor);
  return { server: number, compatibility: use === 'new' ? number - 1 : number };
}

/**
 * Returns true if a Kubernetes release has the behaviour that the entry `change` of `DIFFERENCES` introduced. Returns false if it has the
 * older behaviour.
 */
export function has(release: Release, change: DifferenceName): boolean {
  const { by, since } = DIFFERENCES[change];
  return release[by] >= since;
}

/**
 * Returns true if stored expressions on a server of the given minor version have the behaviour that the entry `change` of `DIFFERENCES`
 * introduced. Returns false if they have the older behaviour.
 */
export function expressionsHave(minor: Minor, change: DifferenceName): boolean {
  return has(releaseOf(minor), change);
}

/** Versions of Kubernetes in which a declaration, such as a CEL function, is available. */
export interface Dates {
  /**
   * Compatibility versions of the declaration: `since` is the first version that offers it, and `until` is the first later version without
   * it.
   */
  readonly since: number;
  readonly until?: number | undefined;
  /**
   * Minor versions of the server for the declaration: `binarySince` is the first minor version that offers it, and `binaryUntil` is the
   * first later minor version without it.
   */
  readonly binarySince?: Minor | undefined;
  readonly binaryUntil?: Minor | undefined;
}

/** Compatibility version of new expressions on the oldest supported minor version. */
const OLDEST_COMPATIBILITY = minorNumber(MINORS[0]) - 1;

/**
 * Versions that limit a declaration or type name. Only the value of `since` is read. The values of the other properties do not matter, only
 * their presence.
 */
type SomeDates = Pick<Dates, 'since'> & Partial<Readonly<Record<Exclude<keyof Dates, 'since'>, unknown>>>;

/**
 * Returns true if only some of the supported Kubernetes versions have a declaration (such as a function) or type name. If the result is
 * false, all supported versions have it.
 */
export function isDated({ since, until, binarySince, binaryUntil }: SomeDates): boolean {
  return since > OLDEST_COMPATIBILITY || until !== undefined || binarySince !== undefined || binaryUntil !== undefined;
}

/**
 * Returns true if `release` offers a declaration. The second argument contains the versions that introduced and removed the declaration.
 */
export function offers(release: Release, { since, until, binarySince, binaryUntil }: Dates): boolean {
  if (binarySince !== undefined && minorNumber(binarySince) > release.server) return false;
  if (binaryUntil !== undefined && minorNumber(binaryUntil) <= release.server) return false;
  return since <= release.compatibility && (until === undefined || release.compatibility < until);
}
