import type { CancellationToken } from '#go';
import { withSizes, withSize } from '../search/dimensions.ts';
import type { Dimension } from '../search/dimensions.ts';
import type { Candidate } from '../search/rule-probe.ts';
import type { WholeObject } from './whole-object.ts';

/** Maximum size in bytes of an object that a study sends. A server accepts requests of 3 MiB, including everything around the object. */
export const REQUEST_BYTES = 2_950_000;
/** Sizes with which the growth of the bytes is measured, the preferred one first. */
const [FIRST, SMALLER] = [32, 9];
/** Maximum number of steps in which the largest size is found that fits into a request. */
const STEPS = 6;
/** Share of a request that is full enough. */
const FULL = 0.98;
/** Largest size that is tried: a text of this length fills a request. */
const MAX_SIZE = 3 * 1024 * 1024;

/** Function that returns a candidate for each size of some fields. It returns the same candidate whenever the size is the same. */
export type Shape = (size: number) => Candidate;

/** Sizes that are changed in a candidate: `fixed` get the size that is asked for, and `free` become as large as possible. */
export interface Filling {
  readonly fixed: readonly Dimension[];
  readonly free: readonly Dimension[];
}

/**
 * Returns a function from a size to a candidate. The candidate has this size in all `fixed` dimensions. All `free` dimensions are as large
 * as the schema allows. If the object would not fit into a request, they have a common smaller size. If even the smallest sizes do not fit,
 * they are as in `from`.
 */
export function filledObject(
  whole: Pick<WholeObject, 'bytes'>,
  from: Candidate,
  { fixed, free }: Filling,
  token: CancellationToken | undefined,
): Shape {
  const largest = Math.min(MAX_SIZE, Math.max(0, ...free.map(({ most }) => most)));
  const known = new Map<number, Candidate>();
  let last: { readonly size: number; readonly common: number } | undefined;
  const fill = (size: number): Candidate => {
    const base = withSizes(from.plan, fixed, size);
    const at = (common: number): Candidate => ({
      ...from,
      plan: free.reduce((plan, one) => withSize(plan, one, Math.min(one.most, Math.max(one.least, 1, common))), base),
    });
    if (free.length === 0) return { ...from, plan: base };
    const bytes = (common: number): number => whole.bytes(at(common), token) ?? Infinity;
    // If the fixed sizes double (twice as many elements, for example), each free field has half the room in the request.
    const guess = last && last.common * (last.size / size);
    if ((guess === undefined || guess > largest) && bytes(largest) <= REQUEST_BYTES) return at(largest);
    const common = largestFitting(bytes, largest, guess);
    if (common === undefined) return { ...from, plan: base };
    last = { size, common };
    return at(common);
  };
  return (size) => {
    const candidate = known.get(size) ?? fill(size);
    known.set(size, candidate);
    return candidate;
  };
}

/**
 * Returns a size below `most` that fits into a request, and that nearly fills it if the bytes grow in proportion to the size. Returns undefined
 * if no size fits.
 *
 * @param bytes Returns the size of a request in bytes. Infinity if it is too large to be built.
 * @param guess Size that may nearly fill a request.
 */
function largestFitting(bytes: (size: number) => number, most: number, guess = FIRST): number | undefined {
  let [low, lowBytes] = [1, bytes(1)];
  if (lowBytes > REQUEST_BYTES) return undefined;
  let high = most;
  for (let i = 0, next = guess; i < STEPS && high > low + 1; i++) {
    const size = Math.min(high - 1, Math.max(low + 1, Math.floor(next)));
    const found = bytes(size);
    // The bytes grow linearly, so two known sizes determine the size that fills the request.
    const slope = (found - lowBytes) / (size - low);
    if (found === Infinity) next = size > FIRST ? (low + size) / 2 : SMALLER;
    else next = slope > 0 ? low + (REQUEST_BYTES - lowBytes) / slope : 2 * size;
    if (found > REQUEST_BYTES) high = size;
    else [low, lowBytes] = [size, found];
    if (found <= REQUEST_BYTES && found >= FULL * REQUEST_BYTES) break;
  }
  return low;
}
