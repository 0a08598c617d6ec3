/** The p-th percentile (0 … 100) of samples, by nearest rank; NaN without samples. */
export function percentile(samples: readonly number[], p: number): number {
  if (samples.length === 0) return Number.NaN;
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.min(sorted.length - 1, Math.ceil((p / 100) * sorted.length) - 1))] ?? Number.NaN;
}

/** The median. */
export const median = (samples: readonly number[]): number => percentile(samples, 50);
