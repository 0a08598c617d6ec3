import type { BoundChoice } from '#kube';
import { withBounds } from './bounds.ts';
import type { BoundChange, Suggestion } from './bounds.ts';
import { BoundSearch } from './bound-search.ts';
import type { BoundLimits } from './bound-search.ts';
import type { LimitedCost } from './limited-cost.ts';
import type { SchemaProps } from '../schema/schema-props.ts';

/** Result of a search for bounds: none is needed, the bounds that suffice, or the first cost that no allowed bound brings under its limit. */
export type ChosenBounds =
  | { readonly kind: 'needless' }
  | { readonly kind: 'found'; readonly changes: readonly BoundChange[] }
  | { readonly kind: 'none'; readonly helpless: LimitedCost };

/** Costs of one version of a definition in one or several servers, with its schema. */
export interface SchemaCosts extends BoundLimits {
  readonly schema: SchemaProps;
  readonly costs: readonly LimitedCost[];
}

/**
 * Smallest values that a search assumes for the bounds that it adds. Smaller bounds are useless for most fields, so the search accepts them
 * only if larger ones do not suffice.
 */
const FLOORS = [8n, 1n] as const;

/**
 * Looks for few bounds that bring all costs within their limits, see {@link BoundSearch.places}. Each bound has the largest value with which
 * a server accepts the definition and finishes each evaluation of the rules that were too expensive. If no bounds achieve both, the server
 * only accepts the definition. Existing bounds change only if the choice permits this and missing bounds do not suffice.
 *
 * Throws `Cancelled` if the token requests cancellation.
 */
export function chooseBounds(given: SchemaCosts, { changes, values }: BoundChoice): ChosenBounds {
  let helpless = given.costs.find(({ cost, limit }) => cost > limit);
  if (helpless === undefined) return { kind: 'needless' };
  for (const { mayLower, floor, isHeld } of attemptsOf(changes)) {
    const wanted = { ...given, costs: isHeld ? given.costs.map(heldOf) : given.costs };
    const search = new BoundSearch(wanted.costs, { ...given, floor, values, mayLower });
    const places = search.places();
    if (!places.ok) helpless = places.helpless;
    else {
      const chosen = search.raised(places.values);
      if (isVerified(wanted, chosen)) return { kind: 'found', changes: chosen };
    }
  }
  return { kind: 'none', helpless };
}

/** One attempt of a search for bounds. */
interface Attempt {
  readonly mayLower: boolean;
  readonly floor: (typeof FLOORS)[number];
  /** True if each evaluation must stay within the limit of one evaluation, too. */
  readonly isHeld: boolean;
}

/** Returns the attempts of a search in the order in which they are made: the first success is taken. */
function attemptsOf(changes: BoundChoice['changes']): readonly Attempt[] {
  const kinds = changes === 'all' ? [false, true] : [false];
  return kinds.flatMap((mayLower) => FLOORS.flatMap((floor) => [true, false].map((isHeld) => ({ mayLower, floor, isHeld }))));
}

/** Returns the stricter form of a cost over its limit, if it has one. Returns all other costs unchanged. */
const heldOf = (cost: LimitedCost): LimitedCost => (cost.cost > cost.limit ? (cost.held ?? cost) : cost);

/** Maximum number of alternative suggestions for one cost. */
const SUGGESTED = 5;

/**
 * Returns alternative sets of bounds, each of which brings one cost under its limit. Sets with fewer bounds come first, and of equally large
 * sets those with inner bounds. The last one sets all missing bounds together, because this allows larger values. The list is empty if
 * bounds do not help.
 */
export function alternativeBounds(given: SchemaCosts, cost: LimitedCost, { changes, values }: BoundChoice): Suggestion[] {
  for (const { mayLower, floor, isHeld } of attemptsOf(changes)) {
    const wanted = isHeld ? heldOf(cost) : cost;
    const search = new BoundSearch([wanted], { ...given, floor, values, mayLower });
    const sets = distinctSets(search.alternatives(wanted).map((places) => search.raised(places)));
    const valid: Suggestion[] = [];
    for (const [i, set] of sets.entries()) {
      // The last set has the largest values. The loop keeps a place for this set among the suggestions.
      const isLast = i === sets.length - 1;
      if (valid.length < SUGGESTED - (isLast ? 0 : 1) && isVerified({ ...given, costs: [wanted] }, set))
        valid.push({ changes: set, cost: cost.costWith(set) });
    }
    if (valid.length > 0) return valid;
  }
  return [];
}

/** Returns true if all costs are within their limits when their expressions are compiled again, and if no default becomes too long. */
function isVerified({ schema, costs, keepsDefaults }: SchemaCosts, changes: readonly BoundChange[]): boolean {
  const changed = withBounds(schema, changes);
  const fields = new Set(changes.map(({ bound }) => bound.fields));
  const dependsOn = ({ bounds }: LimitedCost): boolean => bounds.some((bound) => fields.has(bound.fields));
  return costs.every((cost) => !dependsOn(cost) || cost.recompiled(changed, changes) <= cost.limit) && keepsDefaults(changes);
}

/** Returns one set for each combination of bounds: the first one. */
function distinctSets(sets: readonly (readonly BoundChange[])[]): readonly (readonly BoundChange[])[] {
  return [...new Map(sets.toReversed().map((set) => [changedFields(set), set])).values()].toReversed();
}

/** Returns a text that is equal for sets of changes of the same bounds. */
export const changedFields = (changes: readonly BoundChange[]): string =>
  changes
    .map(({ bound }) => bound.fields)
    .toSorted()
    .join(' ');
