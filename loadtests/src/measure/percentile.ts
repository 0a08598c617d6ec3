/**
 * The p-th percentile (0 … 100) of samples, by nearest rank; undefined without samples. Own code, because the nearest rank is always a figure
 * that was measured, where libraries such as simple-statistics give the mean of two neighbours.
 */
export function percentile(samples: readonly number[], p: number): number | undefined {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.min(sorted.length - 1, Math.ceil((p / 100) * sorted.length) - 1))];
}

/** The median, by nearest rank; undefined without samples. */
export const median = (samples: readonly number[]): number | undefined => percentile(samples, 50);
