import { Cancelled } from '#go';
import type { CancellationToken } from '#go';
import type { BoundChoice } from '#kube';
import { distinctBounds } from './bounds.ts';
import type { BoundChange, SchemaBound } from './bounds.ts';
import { schemaPathText } from '../schema/schema-path.ts';
import { changesIn, changesOf, depthOf, lowestIn, valueIn, withValue, commonValues, largestValue, MAX_BOUND } from './bound-values.ts';
import type { BoundValues } from './bound-values.ts';
import type { LimitedCost } from './limited-cost.ts';

/** Maximum number of bounds that are tried in combinations: the bounds that lower the cost most. They form 66 pairs and 220 triples. */
const COMBINED = 12;
/** Maximum number of bounds that are set together: the bounds that lower the cost most. */
const TOGETHER = 200;
/** Number of sufficient single bounds or combinations at which a search for alternatives stops. A large schema has hundreds of bounds. */
const ENOUGH = 20;
/** Maximum number of combinations that a search for alternatives returns. */
const SHOWN_COMBINATIONS = 5;
/**
 * Maximum effort of raising values: the number of tests times the number of bounds. No value rises after this effort. Searches with up to
 * about ten bounds need less.
 */
const EFFORT = 5000;

/** Conditions that a change of bounds must meet, besides the costs. */
export interface BoundLimits {
  /** Returns true if a change of bounds keeps the defaults of the schema valid. */
  readonly keepsDefaults: (changes: readonly BoundChange[]) => boolean;
  readonly token?: CancellationToken | undefined;
}

interface SearchSettings extends BoundLimits {
  /** Smallest value of a bound, unless other keywords permit only a smaller size. */
  readonly floor: bigint;
  readonly values: BoundChoice['values'];
  /** True if existing bounds may be lowered. */
  readonly mayLower: boolean;
}

/** Bounds with their smallest values, with which all costs are within their limits; or the first cost that no bound brings under its limit. */
type FoundPlaces = { readonly ok: true; readonly values: BoundValues } | { readonly ok: false; readonly helpless: LimitedCost };

/** Search for the bounds that bring costs under their limits. */
export class BoundSearch {
  readonly #costs: readonly LimitedCost[];
  readonly #settings: SearchSettings;
  /** Costs by the fields on whose bounds they depend. */
  readonly #users = new Map<string, LimitedCost[]>();
  readonly #changeable = new Map<LimitedCost, readonly SchemaBound[]>();
  readonly #scales = new Map<string, readonly bigint[]>();
  #effort = EFFORT;

  constructor(costs: readonly LimitedCost[], settings: SearchSettings) {
    this.#costs = costs;
    this.#settings = settings;
    for (const cost of costs)
      for (const { fields } of cost.bounds) {
        const known = this.#users.get(fields);
        if (known === undefined) this.#users.set(fields, [cost]);
        else known.push(cost);
      }
  }

  /**
   * Looks for few bounds that bring all costs within their limits. In each step, it takes the bound that alone brings the most costs within
   * their limits. Among equals, it takes the bound that lowers an existing value least, then the innermost. If no single bound suffices for
   * any cost, it takes several bounds for the first cost.
   */
  places(): FoundPlaces {
    let values: BoundValues = new Map();
    const dear = new Set(this.#costs.filter(({ cost, limit }) => cost > limit));
    // For each cost: bounds that together bring the cost under its limit. An entry is valid until the search sets a bound on which the cost
    // depends.
    const sufficient = new Map<LimitedCost, readonly SchemaBound[]>();
    const helpless = [...dear].find((cost) => !this.#suffices(cost, this.#allOf(cost, values)));
    if (helpless !== undefined) return { ok: false, helpless };
    for (;;) {
      // The search lowers the total cost of all rules only after each single rule is within its limit.
      const ofRules = [...dear].filter(({ path }) => path !== undefined);
      if (ofRules.length === 0) for (const cost of dear) if (this.#suffices(cost, values)) dear.delete(cost);
      const [first] = dear;
      if (first === undefined) return { ok: true, values: this.#onlyNeeded(values) };
      for (const cost of ofRules.length > 0 ? ofRules : dear)
        if (!sufficient.has(cost)) sufficient.set(cost, this.#sufficient(cost, values));
      const best = this.#best(sufficient, values);
      const next =
        best === undefined
          ? (this.#combinations(first, values).next().value ?? this.#together(first, values))
          : withValue(values, best, this.#leastOf(best));
      if (next === undefined) return { ok: false, helpless: first };
      for (const fields of next.keys())
        for (const cost of values.has(fields) ? [] : (this.#users.get(fields) ?? [])) {
          sufficient.delete(cost);
          if (cost.path !== undefined && this.#suffices(cost, next)) dear.delete(cost);
        }
      values = next;
    }
  }

  /**
   * Returns alternative sets of bounds with their smallest values. Each brings a cost under its limit. The sets are single bounds, else
   * pairs, else triples, else all bounds. If there are several missing bounds, the last set has all of them.
   */
  alternatives(cost: LimitedCost): readonly BoundValues[] {
    const none: BoundValues = new Map();
    const single = this.#candidates(cost, none)
      .map((bound) => withValue(none, bound, this.#leastOf(bound)))
      .filter((values) => this.#suffices(cost, values))
      .slice(0, ENOUGH);
    const found = single.length > 0 ? single : [...this.#combinations(cost, none)].slice(0, SHOWN_COMBINATIONS);
    const missing = this.#candidates(cost, none).filter(({ value }) => value === undefined);
    const together = missing.length > 1 ? this.#together(cost, none, missing) : undefined;
    const all = found.length === 0 && together === undefined ? this.#together(cost, none) : undefined;
    return [...found, ...(together === undefined ? [] : [together]), ...(all === undefined ? [] : [all])];
  }

  /**
   * Returns changes with the largest values with which all costs stay within their limits. All values are first raised to a common level as
   * far as possible. Values that can still rise are then raised further. Bounds without an effect are left out.
   */
  raised(least: BoundValues): readonly BoundChange[] {
    const boundsIn = (values: BoundValues): readonly SchemaBound[] => [...values.values()].map(({ bound }) => bound);
    const level = this.#highest(1n, boundsIn(least), least);
    let values = this.#onlyNeeded(this.#raisedTo(least, boundsIn(least), level));
    let groups = [...Map.groupBy(boundsIn(values), (bound) => this.#kinshipOf(bound)).values()];
    while (this.#effort > 0) {
      const before = values;
      groups = groups
        .map((group) => group.filter((bound) => this.#canRise(before, [bound])))
        .filter((group) => group.length > 0 && this.#canRise(before, group));
      const [first] = groups;
      if (first === undefined) break;
      const rising = groups.flat();
      values = this.#raisedTo(before, rising, this.#highest(lowestIn(before, rising), rising, before));
      if (rising.some((bound) => valueIn(values, bound) !== valueIn(before, bound))) continue;
      // No value rose, because raising all of the lowest values by one exceeds a limit. So this step raises only the first group.
      values = this.#raisedTo(before, first, this.#highest(lowestIn(before, first), first, before));
    }
    return changesOf(this.#onlyNeeded(values));
  }

  /**
   * Returns a text that is equal for bounds with the same role in too expensive rules of the same text. Such bounds get the same values as
   * long as possible, because authors often generate them from one type.
   */
  #kinshipOf(bound: SchemaBound): string {
    const users = (this.#users.get(bound.fields) ?? []).filter(({ path, cost, limit }) => path !== undefined && cost > limit);
    return [...new Set(users.map((cost) => `${cost.part} ${cost.text} ${roleOf(bound, cost)}`))].toSorted().join('\n');
  }

  /** Returns the bounds of a cost that may change and do not have a value yet, the innermost first. */
  #candidates(cost: LimitedCost, values: BoundValues): readonly SchemaBound[] {
    const changeable = this.#changeable.get(cost) ?? this.#changeableOf(cost);
    this.#changeable.set(cost, changeable);
    return changeable.filter(({ fields }) => !values.has(fields));
  }

  #changeableOf({ bounds }: LimitedCost): readonly SchemaBound[] {
    return distinctBounds(bounds)
      .filter((bound) => (bound.value === undefined || this.#settings.mayLower) && this.#scaleOf(bound).length > 0)
      .toSorted((a, b) => b.path.length - a.path.length);
  }

  /**
   * Returns the bound that alone brings the most costs within their limits. Among equals, it is the bound that lowers an existing value least,
   * then the innermost. Returns undefined if no single bound suffices for any cost.
   */
  #best(sufficient: ReadonlyMap<LimitedCost, readonly SchemaBound[]>, values: BoundValues): SchemaBound | undefined {
    const found = new Map<string, { readonly bound: SchemaBound; readonly costs: LimitedCost[] }>();
    for (const [cost, bounds] of sufficient)
      for (const bound of bounds) {
        const entry = found.get(bound.fields) ?? { bound, costs: [] };
        entry.costs.push(cost);
        found.set(bound.fields, entry);
      }
    const most = Math.max(0, ...[...found.values()].map(({ costs }) => costs.length));
    const [best] = [...found.values()]
      .filter(({ costs }) => costs.length === most)
      .map(({ bound, costs }) => ({ bound, kept: this.#keptShare(bound, costs, values) }))
      .toSorted((a, b) => b.kept - a.kept || b.bound.path.length - a.bound.path.length);
    return best?.bound;
  }

  /** Returns the share of an existing bound that remains if it is lowered until some costs are within their limits. For a missing one, 1. */
  #keptShare(bound: SchemaBound, costs: readonly LimitedCost[], values: BoundValues): number {
    if (bound.value === undefined || bound.value <= 0n) return 1;
    const largest = this.#scaleOf(bound).findLast((value) => costs.every((cost) => this.#suffices(cost, withValue(values, bound, value))));
    return Number(largest ?? 0n) / Number(bound.value);
  }

  /** Returns the bounds that each suffice for a cost, besides the bounds that already have values. */
  #sufficient(cost: LimitedCost, values: BoundValues): readonly SchemaBound[] {
    return this.#candidates(cost, values).filter((bound) => this.#suffices(cost, withValue(values, bound, this.#leastOf(bound))));
  }

  /** Yields pairs of bounds that suffice for a cost, or triples if no pair suffices. Those with the lowest costs come first. */
  *#combinations(cost: LimitedCost, values: BoundValues): Generator<BoundValues, undefined> {
    const tried = this.#byEffect(cost, values).slice(0, COMBINED);
    for (const size of [2, 3]) {
      const sets = combinations(tried, size).map((bounds) =>
        bounds.reduce((all, bound) => withValue(all, bound, this.#leastOf(bound)), values),
      );
      const enough = sets
        .map((set) => ({ set, cost: this.#costWith(cost, set), depth: depthOf(set) }))
        .filter((one) => one.cost <= cost.limit)
        .toSorted((a, b) => b.depth - a.depth || compare(a.cost, b.cost));
      for (const { set } of enough) yield set;
      if (enough.length > 0) return undefined;
    }
    return undefined;
  }

  /** Returns all bounds of a cost that are needed together; undefined if even all of them do not suffice. */
  #together(cost: LimitedCost, values: BoundValues, bounds = this.#candidates(cost, values)): BoundValues | undefined {
    const chosen = bounds.length > TOGETHER ? this.#byEffect(cost, values).slice(0, TOGETHER) : bounds;
    const all = this.#allOf(cost, values, chosen);
    return all.size > values.size && this.#suffices(cost, all) ? all : undefined;
  }

  /**
   * Returns a copy of `values` in which each of `bounds` has its smallest value. By default, `bounds` are the bounds of the cost that may
   * change and have no value yet.
   */
  #allOf(cost: LimitedCost, values: BoundValues, bounds = this.#candidates(cost, values)): BoundValues {
    const all = new Map(values);
    for (const bound of bounds) all.set(bound.fields, { bound, value: this.#leastOf(bound) });
    return all;
  }

  /** Returns the bounds of a cost, sorted by the cost that remains if only this bound is set. */
  #byEffect(cost: LimitedCost, values: BoundValues): readonly SchemaBound[] {
    return this.#candidates(cost, values)
      .map((bound) => ({ bound, cost: this.#costWith(cost, withValue(values, bound, this.#leastOf(bound))) }))
      .toSorted((a, b) => compare(a.cost, b.cost))
      .map(({ bound }) => bound);
  }

  #costWith({ costWith, bounds }: LimitedCost, values: BoundValues): bigint {
    if (this.#settings.token?.cancelled === true) throw new Cancelled();
    return costWith(changesIn(values, bounds));
  }

  #suffices(cost: LimitedCost, values: BoundValues): boolean {
    return this.#costWith(cost, values) <= cost.limit;
  }

  /** Returns true if changed values bring a cost over its limit. Only costs that depend on the changed bounds are tested. */
  #exceeds(values: BoundValues, changed: readonly SchemaBound[]): boolean {
    this.#effort -= changed.length;
    const costs = new Set(changed.flatMap(({ fields }) => this.#users.get(fields) ?? []));
    return [...costs].some((cost) => !this.#suffices(cost, values));
  }

  /**
   * Returns the highest level, at least `passes`, to which the values of `bounds` can be raised while the costs stay within their limits. The
   * level `passes` itself must keep them within the limits.
   */
  #highest(passes: bigint, bounds: readonly SchemaBound[], values: BoundValues): bigint {
    let low = passes;
    let high = MAX_BOUND + 1n;
    while (high - low > 1n) {
      const middle = (low + high) >> 1n;
      if (this.#exceeds(this.#raisedTo(values, bounds, middle), bounds)) high = middle;
      else low = middle;
    }
    return low;
  }

  /** Returns true if all of these bounds together can have their next larger values. */
  #canRise(values: BoundValues, bounds: readonly SchemaBound[]): boolean {
    const raised = new Map(values);
    for (const bound of bounds) {
      const value = this.#nextValue(bound, valueIn(values, bound));
      if (value === undefined) return false;
      raised.set(bound.fields, { bound, value });
    }
    return !this.#exceeds(raised, bounds);
  }

  /**
   * Removes values that are not needed to stay under the limits, starting with the last one. An estimate may read a
   * size that does not influence its result. And a later bound may make an earlier one unnecessary.
   */
  #onlyNeeded(values: BoundValues): BoundValues {
    if (values.size < 2) return values;
    let needed = values;
    for (const fields of [...values.keys()].toReversed()) {
      const fewer = new Map(needed);
      fewer.delete(fields);
      const users = this.#users.get(fields) ?? [];
      if (fewer.size > 0 && users.every((cost) => this.#suffices(cost, fewer))) needed = fewer;
    }
    return needed;
  }

  /** Returns a copy of the values in which the values of `bounds` are raised to `level`, as far as each bound allows. */
  #raisedTo(values: BoundValues, bounds: readonly SchemaBound[], level: bigint): BoundValues {
    const raised = new Map(values);
    for (const bound of bounds) {
      const wanted = this.#valueBelow(bound, level);
      if (wanted !== undefined && wanted > valueIn(values, bound)) raised.set(bound.fields, { bound, value: wanted });
    }
    return raised;
  }

  /** Returns the largest value of a bound that is not above `level`; undefined if there is none. */
  #valueBelow(bound: SchemaBound, level: bigint): bigint | undefined {
    if (this.#settings.values === 'common') return this.#scaleOf(bound).findLast((value) => value <= level);
    const most = largestValue(bound);
    return level < most ? level : most;
  }

  #nextValue(bound: SchemaBound, value: bigint): bigint | undefined {
    if (this.#settings.values === 'common') return this.#scaleOf(bound).find((one) => one > value);
    return value < largestValue(bound) ? value + 1n : undefined;
  }

  #leastOf(bound: SchemaBound): bigint {
    return this.#scaleOf(bound)[0] ?? 1n;
  }

  /** Returns the common values of a bound with which the defaults of the schema stay valid, in ascending order. */
  #scaleOf(bound: SchemaBound): readonly bigint[] {
    const known = this.#scales.get(bound.fields);
    if (known !== undefined) return known;
    const values = commonValues(bound, this.#settings.floor);
    const first = values.findIndex((value) => this.#settings.keepsDefaults([{ bound, value }]));
    const scale = first < 0 ? [] : values.slice(first);
    this.#scales.set(bound.fields, scale);
    return scale;
  }
}

/** Returns the position of a bound relative to the rule of a cost, as a text. A bound above the rule has a number of steps. */
function roleOf({ path, keyword }: SchemaBound, { path: rule = '' }: LimitedCost): string {
  const text = schemaPathText(path);
  const node = rule.slice(0, Math.max(0, rule.lastIndexOf('x-kubernetes-validations') - 1));
  const isBelow = node === '' || text === node || text.startsWith(`${node}.`);
  return `${keyword} ${isBelow ? text.slice(node.length) : path.length}`;
}

const compare = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);

/** Returns all subsets with `size` elements. The elements keep their order. */
function combinations(bounds: readonly SchemaBound[], size: number): SchemaBound[][] {
  if (size === 0) return [[]];
  return bounds.flatMap((bound, i) => combinations(bounds.slice(i + 1), size - 1).map((rest) => [bound, ...rest]));
}
