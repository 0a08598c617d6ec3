import type { SchemaBound, OverLimit, Suggestion } from './bounds.ts';
import { largestBounds, leastCost } from './largest-bounds.ts';

/** Suggestions made as alternatives to each other. */
const SUGGESTED = 5;
/** Places tried alone until so many suffice; a large schema has hundreds. */
const ALONE = 20;
/**
 * Highest number of places that the search combines. It takes the places that lower the cost most: 66 pairs, 220
 * triples.
 */
const COMBINED = 12;

/**
 * Steps: finds bounds that would bring a cost under its limit. Fewest places first: each alone, else pairs, else triples, else what is needed of all.
 * Among as many places, those come first that leave most room. Then, if that is another answer, one for all unbounded places together,
 * which leaves more room to each. Bounds are the largest that suffice; each answer is compiled. Empty when bounds do not help.
 */
export function suggestBounds(over: OverLimit): Suggestion[] {
  const unbounded = over.bounds.filter(({ value }) => value === undefined);
  const together = unbounded.length > 1 ? largestBounds(over, unbounded) : undefined;
  const suggestions = [...fewestPlaces(over).toSorted(roomiestFirst), ...(together ? [together] : [])];
  const distinct = new Map(suggestions.map((suggestion) => [suggestion.changes.map(({ bound }) => bound.fields).join(' '), suggestion]));
  const valid: Suggestion[] = [];
  for (const suggestion of distinct.values()) {
    // The last place is kept for the roomy one.
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

/** Sets of places, by what the cost is at the least with them. */
function sortedByCost(
  over: OverLimit,
  sets: readonly (readonly SchemaBound[])[],
): { readonly places: readonly SchemaBound[]; readonly cost: bigint }[] {
  return sets.map((places) => ({ places, cost: leastCost(over, places) })).sort((a, b) => compare(a.cost, b.cost));
}

/** Returns all sets of so many places, in their order. */
function combinations(places: readonly SchemaBound[], size: number): SchemaBound[][] {
  if (size === 0) return [[]];
  return places.flatMap((place, i) => combinations(places.slice(i + 1), size - 1).map((rest) => [place, ...rest]));
}

/** Returns the tightest bound decides. */
function roomiestFirst(a: Suggestion, b: Suggestion): number {
  const tightest = ({ changes }: Suggestion): bigint => changes.map(({ value }) => value).reduce((x, y) => (x < y ? x : y));
  return a.changes.length - b.changes.length || compare(tightest(b), tightest(a));
}

const compare = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);
