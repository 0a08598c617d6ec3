import type { TimeFindings } from './study-cell.ts';

/**
 * Maximum share of the time for which a thread may wait for a CPU core. Above this share, measured times are too long, especially those of
 * long evaluations.
 */
const MOST_DISTURBED = 0.2;

/**
 * If the measurement was disturbed (`share` is above 0.2), removes the growth exponents of the times from the findings. Each claim that
 * does not hold is then marked as "not measured". A claim that holds although the times are too long is kept.
 *
 * @param share Share of the time for which the thread had no CPU core. Undefined if the share is not known.
 */
export function withoutDisturbed(found: TimeFindings, share: number | undefined): TimeFindings {
  if (share === undefined || share <= MOST_DISTURBED) return found;
  const series = found.series.map(({ engine, points }) => ({ engine, points }));
  const claims = found.claims.map((one) => (one.verdict === 'holds' ? one : { ...one, verdict: 'not measured' as const }));
  return { ...found, series, claims, disturbed: share };
}
