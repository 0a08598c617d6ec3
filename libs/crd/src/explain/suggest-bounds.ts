import type { Bound, BoundChange } from './bounds.ts';

/** Bounds that, set together, bring a cost under its limit. */
export interface Suggestion {
  readonly changes: readonly BoundChange[];
  /** The cost with them. */
  readonly cost: bigint;
}

/** What is too dear, and how its cost is found again under other bounds. */
export interface OverLimit {
  readonly limit: bigint;
  readonly bounds: readonly Bound[];
  /** The cost under changed bounds, estimated anew. */
  readonly estimate: (changes: readonly BoundChange[]) => bigint;
  /** Whether the server, all else as before, takes a schema with these bounds: the cost is right, and no default is too long for them. */
  readonly isValid: (changes: readonly BoundChange[]) => boolean;
}

/** Places suggested as alternatives to each other; a large schema has hundreds. */
const ALTERNATIVES = 20;
/** The largest power of two that fits into a request of 3 MiB. */
const LARGEST = 21;

/**
 * Finds bounds that would bring a cost under its limit: for each place alone the largest power of two that suffices, and one power of two for
 * all unbounded places together, which leaves more room to each; where neither does, one for all places. Each answer comes from estimating
 * under these bounds, as does that twice the value is too much. Empty when bounds do not help.
 */
export function suggestBounds(over: OverLimit): Suggestion[] {
  const alone: Suggestion[] = [];
  for (const bound of over.bounds) {
    const found = alone.length < ALTERNATIVES ? largest(over, [bound]) : undefined;
    if (found !== undefined) alone.push(found);
  }
  const unbounded = over.bounds.filter(({ value }) => value === undefined);
  const together = unbounded.length > 1 ? largest(over, unbounded) : undefined;
  if (together !== undefined && together.changes.length > 1) return [...alone, together];
  if (alone.length > 0 || over.bounds.length <= Math.max(1, unbounded.length)) return alone;
  const all = largest(over, over.bounds);
  return all === undefined ? [] : [all];
}

/** The largest power of two that suffices as the bound of all these places; places with a lower bound keep it. */
function largest(over: OverLimit, bounds: readonly Bound[]): Suggestion | undefined {
  const changesFor = (exponent: number): BoundChange[] => {
    const wanted = 1n << BigInt(exponent);
    return bounds.flatMap((bound) => (bound.value !== undefined && bound.value <= wanted ? [] : [{ bound, value: wanted }]));
  };
  const costOf = (exponent: number): bigint => over.estimate(changesFor(exponent));
  let passes = Math.max(...bounds.map(({ least }) => exponentFor(least)));
  let fails = LARGEST + 1;
  if (passes >= fails || changesFor(passes).length === 0) return undefined;
  let cost = costOf(passes);
  if (cost > over.limit) return undefined;
  while (fails - passes > 1) {
    const middle = (passes + fails) >> 1;
    const found = costOf(middle);
    if (found > over.limit) fails = middle;
    else {
      passes = middle;
      cost = found;
    }
  }
  const needed = onlyNeeded(over, { changes: changesFor(passes), cost });
  return over.isValid(needed.changes) ? needed : undefined;
}

/** Leaves places as they are where that does no harm: an estimate may ask for a size and not depend on it. */
function onlyNeeded(over: OverLimit, suggestion: Suggestion): Suggestion {
  return suggestion.changes.toReversed().reduce((needed, change) => {
    const changes = needed.changes.filter((one) => one !== change);
    const cost = changes.length === 0 ? undefined : over.estimate(changes);
    return cost === undefined || cost > over.limit ? needed : { changes, cost };
  }, suggestion);
}

/** The least exponent whose power of two is not below a number. */
function exponentFor(least: bigint): number {
  let exponent = 0;
  while (1n << BigInt(exponent) < least) exponent++;
  return exponent;
}
