import type { SchemaBound, OverLimit, Suggestion } from './bounds.ts';
import { largestBounds, minCost } from './largest-bounds.ts';

/** Maximum number of alternative suggestions. */
const SUGGESTED = 5;
/** Number of sufficient single bounds at which the search stops. The limit is necessary because a large schema has hundreds of bounds. */
const ALONE = 20;
/** Maximum number of bounds that are tried in combinations: the bounds that lower the cost most. They form 66 pairs and 220 triples. */
const COMBINED = 12;

/**
 * Suggests bounds that bring a cost under its limit. Returns an empty list if bounds do not help.
 *
 * Tries in this order: each bound alone, pairs, triples, and finally all bounds together without unnecessary ones. The search stops at the
 * first step that finds a sufficient set. The result is sorted: suggestions with fewer bounds come first. Suggestions with equally many
 * bounds are sorted by their smallest bound, the largest first. One more suggestion sets all missing bounds together, because this allows
 * larger values. Every suggestion has the largest values that suffice, and is verified by compilation.
 */
export function suggestBounds(over: OverLimit): Suggestion[] {
  const unbounded = over.bounds.filter(({ value }) => value === undefined);
  const together = unbounded.length > 1 ? largestBounds(over, unbounded) : undefined;
  const suggestions = [...fewestPlaces(over).toSorted(roomiestFirst), ...(together ? [together] : [])];
  const distinct = new Map(suggestions.map((suggestion) => [suggestion.changes.map(({ bound }) => bound.fields).join(' '), suggestion]));
  const valid: Suggestion[] = [];
  for (const suggestion of distinct.values()) {
    // The last place is reserved for the suggestion with the largest values.
    const isLast = suggestion === together || [...distinct.values()].at(-1) === suggestion;
    if (valid.length < SUGGESTED - (isLast ? 0 : 1) && over.isValid(suggestion.changes)) valid.push(suggestion);
  }
  return valid;
}

function fewestPlaces(over: OverLimit): Suggestion[] {
  const alone: Suggestion[] = [];
  for (const bound of over.bounds) {
    const found = alone.length < ALONE ? largestBounds(over, [bound]) : undefined;
    if (found !== undefined) alone.push(found);
  }
  if (alone.length > 0) return alone;
  const byEffect = sortedByCost(
    over,
    over.bounds.map((bound) => [bound]),
  )
    .slice(0, COMBINED)
    .flatMap(({ places }) => places);
  for (const size of [2, 3]) {
    const enough = sortedByCost(over, combinations(byEffect, size)).filter(({ cost }) => cost <= over.limit);
    const found = enough.slice(0, SUGGESTED).flatMap(({ places }) => largestBounds(over, places) ?? []);
    if (found.length > 0) return found;
  }
  const all = largestBounds(over, over.bounds);
  return all === undefined ? [] : [all];
}

/** Returns sets of bounds, sorted by the lowest cost that each set can achieve. */
function sortedByCost(
  over: OverLimit,
  sets: readonly (readonly SchemaBound[])[],
): { readonly places: readonly SchemaBound[]; readonly cost: bigint }[] {
  return sets.map((places) => ({ places, cost: minCost(over, places) })).sort((a, b) => compare(a.cost, b.cost));
}

/** Returns all subsets with `size` elements. The elements keep their order. */
function combinations(places: readonly SchemaBound[], size: number): SchemaBound[][] {
  if (size === 0) return [[]];
  return places.flatMap((place, i) => combinations(places.slice(i + 1), size - 1).map((rest) => [place, ...rest]));
}

/**
 * Compares two suggestions for sorting. The suggestion with fewer changes comes first. If the numbers are equal, the suggestion whose
 * smallest value is larger comes first.
 */
function roomiestFirst(a: Suggestion, b: Suggestion): number {
  const tightest = ({ changes }: Suggestion): bigint => changes.map(({ value }) => value).reduce((x, y) => (x < y ? x : y));
  return a.changes.length - b.changes.length || compare(tightest(b), tightest(a));
}

const compare = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);
