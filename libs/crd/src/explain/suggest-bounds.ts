import type { SchemaBound, OverLimit, Suggestion, BoundChange } from './bounds.ts';

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

/** Largest number of elements or code points that a request of 3 MiB can hold. Source: rule-context.ts, `MAX_REQUEST_BYTES`. */
const MAX_BOUND = 3_145_728n;
/**
 * Maximum effort of a search: the number of estimates times the number of bounds. A search that reaches this effort raises no more bounds.
 * Searches with up to about ten bounds need less effort.
 */
const EFFORT = 5000;

/**
 * Returns the largest values of the given bounds that together bring a cost under its limit. Returns undefined if even the smallest values
 * do not suffice.
 *
 * All bounds are first raised to a common level as far as possible. Bounds that can still rise are then raised further. In the result, no
 * single bound can be increased by one, unless there are very many bounds. Bounds without an effect are left out.
 */
function largestBounds(over: OverLimit, places: readonly SchemaBound[]): Suggestion | undefined {
  const search = new Search(over);
  const least = new Map(places.filter((place) => minOf(place) <= maxOf(place)).map((place) => [place, minOf(place)]));
  if (least.size === 0 || search.exceeds(least)) return undefined;
  const level = search.highest(1n, MAX_BOUND, (value) => raisedTo(least, [...least.keys()], value));
  const values = search.onlyNeeded(raisedTo(least, [...least.keys()], level));
  search.raise(values);
  const needed = search.onlyNeeded(values);
  return { changes: changesOf(needed), cost: over.estimate(changesOf(needed)) };
}

/** Returns the estimate of a cost if each of the given schema bounds (such as `maxItems`) is set to its smallest possible value. */
function minCost({ estimate }: OverLimit, places: readonly SchemaBound[]): bigint {
  return estimate(changesOf(new Map(places.filter((place) => minOf(place) <= maxOf(place)).map((place) => [place, minOf(place)]))));
}

/** Values to be assigned to bounds. */
type Values = ReadonlyMap<SchemaBound, bigint>;

class Search {
  readonly #over: OverLimit;
  #left = EFFORT;

  constructor(over: OverLimit) {
    this.#over = over;
  }

  exceeds(values: Values): boolean {
    this.#left -= values.size;
    return this.#over.estimate(changesOf(values)) > this.#over.limit;
  }

  /**
   * Returns the highest number from `passes` to `most` for which the values that `valuesFor` returns keep the cost within the limit. The
   * number `passes` itself must keep it within the limit, and the values must grow with the number.
   */
  highest(passes: bigint, most: bigint, valuesFor: (value: bigint) => Values): bigint {
    let low = passes;
    let high = most + 1n;
    while (high - low > 1n) {
      const middle = (low + high) >> 1n;
      if (this.exceeds(valuesFor(middle))) high = middle;
      else low = middle;
    }
    return low;
  }

  /** Raises all values that are still below their maximum to a common level, and repeats this until no value can rise. */
  raise(values: Map<SchemaBound, bigint>): void {
    let rising = [...values.keys()];
    while (this.#left > 0) {
      rising = rising.filter((place) => this.#canRise(values, place));
      const [first] = rising;
      if (first === undefined) return;
      const lowest = rising.map((place) => values.get(place) as bigint).reduce((a, b) => (a < b ? a : b));
      const level = this.highest(lowest, MAX_BOUND, (value) => raisedTo(values, rising, value));
      const raised = raisedTo(values, rising, level);
      const before = new Map(values);
      for (const [place, value] of raised) values.set(place, value);
      // If no value rose, raising all of the lowest values by one exceeds the limit. Then only the first value is raised, as far as the
      // limit and its maximum allow.
      if (rising.every((place) => values.get(place) === before.get(place))) {
        const alone = this.highest(values.get(first) as bigint, maxOf(first), (value) => new Map(values).set(first, value));
        values.set(first, alone);
      }
    }
  }

  #canRise(values: Values, place: SchemaBound): boolean {
    const more = (values.get(place) as bigint) + 1n;
    return more <= maxOf(place) && !this.exceeds(new Map(values).set(place, more));
  }

  /**
   * Removes values that are not needed to stay under the limit, starting with the last one. Some values have no effect, because an estimate
   * may read a size that does not influence its result.
   */
  onlyNeeded(values: Values): Map<SchemaBound, bigint> {
    const needed = new Map(values);
    for (const [place, value] of [...values].reverse()) {
      needed.delete(place);
      if (needed.size === 0 || this.exceeds(needed)) needed.set(place, value);
    }
    // The loop reversed the order of the places, so this restores it.
    return new Map([...values.keys()].flatMap((place) => (needed.has(place) ? [[place, values.get(place) as bigint] as const] : [])));
  }
}

/** Returns a copy of the values in which the values of `places` are raised to `level`, as far as each bound allows. */
function raisedTo(values: Values, places: readonly SchemaBound[], level: bigint): Map<SchemaBound, bigint> {
  const raised = new Map(values);
  for (const place of places) {
    const wanted = level < maxOf(place) ? level : maxOf(place);
    if (wanted > (values.get(place) as bigint)) raised.set(place, wanted);
  }
  return raised;
}

const changesOf = (values: Values): BoundChange[] => [...values].map(([bound, value]) => ({ bound, value }));
/**
 * Returns the smallest value that may be suggested for a bound. It is at least 1, because a bound that forces a list or text to be empty is
 * never suggested.
 */
const minOf = ({ least }: SchemaBound): bigint => (least > 1n ? least : 1n);
/** Returns the largest value that may be suggested for a bound. A suggestion only lowers an existing bound. */
const maxOf = ({ value }: SchemaBound): bigint => (value === undefined ? MAX_BOUND : value - 1n);
