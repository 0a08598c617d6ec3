import type { TimeFindings } from './study-cell.ts';

/** A thread that has no core for a larger share of the time takes times that are too long, above all of long evaluations. */
const MOST_DISTURBED = 0.2;

/**
 * Returns findings without what a disturbed sitting cannot tell: growth, and claims that fail. A claim that holds although the times are too long holds.
 *
 * @param share the share of the time for which the thread had no core; undefined if it is not known
 */
export function withoutDisturbed(found: TimeFindings, share: number | undefined): TimeFindings {
  if (share === undefined || share <= MOST_DISTURBED) return found;
  const series = found.series.map(({ engine, points }) => ({ engine, points }));
  const claims = found.claims.map((one) => (one.verdict === 'holds' ? one : { ...one, verdict: 'not measured' as const }));
  return { ...found, series, claims, disturbed: share };
}
