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
 * Looks for few bounds that bring all costs within their limits, see {@link BoundSearch.places}. Each bound has the largest allowed value. Existing bounds change only if the choice permits this and missing bounds do not suffice.
 * Throws `Cancelled` if the token requests cancellation.
 */
export function chooseBounds(given: SchemaCosts, { changes, values }: BoundChoice): ChosenBounds {
  let helpless = given.costs.find(({ cost, limit }) => cost > limit);
  if (helpless === undefined) return { kind: 'needless' };
  const kinds = changes === 'all' ? (['missing', 'all'] as const) : (['missing'] as const);
  for (const kind of kinds)
    for (const floor of FLOORS) {
      const search = new BoundSearch(given.costs, { ...given, floor, values, mayLower: kind === 'all' });
      const places = search.places();
      if (!places.ok) helpless = places.helpless;
      else {
        const chosen = search.raised(places.values);
        if (isVerified(given, chosen)) return { kind: 'found', changes: chosen };
      }
    }
  return { kind: 'none', helpless };
}

/** Maximum number of alternative suggestions for one cost. */
const SUGGESTED = 5;

/**
 * Returns alternative sets of bounds, each of which brings one cost under its limit. Sets with fewer bounds come first, and of equally large
 * sets those with inner bounds. The last one sets all missing bounds together, because this allows larger values. The list is empty if
 * bounds do not help.
 */
export function alternativeBounds(given: SchemaCosts, cost: LimitedCost, { changes, values }: BoundChoice): Suggestion[] {
  const kinds = changes === 'all' ? (['missing', 'all'] as const) : (['missing'] as const);
  for (const kind of kinds)
    for (const floor of FLOORS) {
      const search = new BoundSearch([cost], { ...given, floor, values, mayLower: kind === 'all' });
      const sets = distinctSets(search.alternatives(cost).map((places) => search.raised(places)));
      const valid: Suggestion[] = [];
      for (const [i, set] of sets.entries()) {
        // The last place is reserved for the set with the largest values.
        const isLast = i === sets.length - 1;
        if (valid.length < SUGGESTED - (isLast ? 0 : 1) && isVerified({ ...given, costs: [cost] }, set))
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
