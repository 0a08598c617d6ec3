import type { TimeFindings } from './study-cell.ts';

/**
 * Maximum share of the time for which a thread may wait for a CPU core. Above this share, measured times are too long, especially those of
 * long evaluations.
 */
const MAX_DISTURBED_SHARE = 0.2;

/**
 * Removes unreliable results from the findings if the measurement was disturbed (`share` is above 0.2). The growth exponents of the times
 * are removed. The claims are statements of KEP-2876 about times. A claim with the verdict "holds" is kept, because a disturbance only
 * makes times longer. Every other claim gets the verdict "not measured".
 *
 * @param share Share of the time for which the thread had no CPU core. Undefined if the share is not known.
 */
export function withoutDisturbed(found: TimeFindings, share: number | undefined): TimeFindings {
  if (share === undefined || share <= MAX_DISTURBED_SHARE) return found;
  const series = found.series.map(({ engine, points }) => ({ engine, points }));
  const claims = found.claims.map((one) => (one.verdict === 'holds' ? one : { ...one, verdict: 'not measured' as const }));
  return { ...found, series, claims, disturbed: share };
}
