import type { SchemaBound, BoundChange, OverLimit, Suggestion } from './bounds.ts';

/** Most elements, or code points, that a request of 3 MiB can hold. Source: rule-context.ts, `MAX_REQUEST_BYTES`. */
const LARGEST = 3_145_728n;
/** Estimates times places that a search may ask for; beyond, it stops raising bounds. Sets of up to some ten places need less. */
const EFFORT = 5000;

/**
 * Returns the largest bounds of these places that together bring a cost under its limit. It raises all bounds to the
 * same level as far as possible. A bound that can rise further then rises alone. In the result no bound can grow by one
 * without a change of the others, unless there are very many places. It leaves out places without an effect. Undefined
 * if even the smallest bounds do not suffice.
 */
export function largestBounds(over: OverLimit, places: readonly SchemaBound[]): Suggestion | undefined {
  const search = new Search(over);
  const least = new Map(places.filter((place) => leastOf(place) <= mostOf(place)).map((place) => [place, leastOf(place)]));
  if (least.size === 0 || search.exceeds(least)) return undefined;
  const level = search.highest(1n, LARGEST, (value) => raisedTo(least, [...least.keys()], value));
  const values = search.onlyNeeded(raisedTo(least, [...least.keys()], level));
  search.raise(values);
  const needed = search.onlyNeeded(values);
  return { changes: changesOf(needed), cost: over.estimate(changesOf(needed)) };
}

/** Returns the cost under the smallest bounds that these places can have. */
export function leastCost({ estimate }: OverLimit, places: readonly SchemaBound[]): bigint {
  return estimate(changesOf(new Map(places.filter((place) => leastOf(place) <= mostOf(place)).map((place) => [place, leastOf(place)]))));
}

/** Values that bounds are to have. */
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

  /** The highest number for which the values do not exceed the limit; they do not for `passes`, and are more for more. */
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

  /** Raises values, one level for all that can rise, until none can. */
  raise(values: Map<SchemaBound, bigint>): void {
    let rising = [...values.keys()];
    while (this.#left > 0) {
      rising = rising.filter((place) => this.#canRise(values, place));
      const [first] = rising;
      if (first === undefined) return;
      const lowest = rising.map((place) => values.get(place) as bigint).reduce((a, b) => (a < b ? a : b));
      const level = this.highest(lowest, LARGEST, (value) => raisedTo(values, rising, value));
      const raised = raisedTo(values, rising, level);
      const before = new Map(values);
      for (const [place, value] of raised) values.set(place, value);
      // Where they cannot rise together any more, the first takes what is left.
      if (rising.every((place) => values.get(place) === before.get(place))) {
        const alone = this.highest(values.get(first) as bigint, mostOf(first), (value) => new Map(values).set(first, value));
        values.set(first, alone);
      }
    }
  }

  #canRise(values: Values, place: SchemaBound): boolean {
    const more = (values.get(place) as bigint) + 1n;
    return more <= mostOf(place) && !this.exceeds(new Map(values).set(place, more));
  }

  /**
   * Removes the values that the limit does not need, the last ones first. An estimate may read a size without an effect
   * on its result.
   */
  onlyNeeded(values: Values): Map<SchemaBound, bigint> {
    const needed = new Map(values);
    for (const [place, value] of [...values].reverse()) {
      needed.delete(place);
      if (needed.size === 0 || this.exceeds(needed)) needed.set(place, value);
    }
    // In the order of the places again.
    return new Map([...values.keys()].flatMap((place) => (needed.has(place) ? [[place, values.get(place) as bigint] as const] : [])));
  }
}

/** Values of which some are raised to a level, as far as each place allows. */
function raisedTo(values: Values, places: readonly SchemaBound[], level: bigint): Map<SchemaBound, bigint> {
  const raised = new Map(values);
  for (const place of places) {
    const wanted = level < mostOf(place) ? level : mostOf(place);
    if (wanted > (values.get(place) as bigint)) raised.set(place, wanted);
  }
  return raised;
}

const changesOf = (values: Values): BoundChange[] => [...values].map(([bound, value]) => ({ bound, value }));
/** No bound is suggested under which a list or text must be empty. */
const leastOf = ({ least }: SchemaBound): bigint => (least > 1n ? least : 1n);
/** Returns a bound that is there is only ever lowered. */
const mostOf = ({ value }: SchemaBound): bigint => (value === undefined ? LARGEST : value - 1n);
