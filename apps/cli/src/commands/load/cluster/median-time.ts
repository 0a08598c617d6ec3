import { estimatePercentile, median } from '#benchmark';

/** Number of times from which a median is told. */
export const MIN_SAMPLES = 5;

/** Median of times in ms, with its 95 % interval. The interval needs six times. */
export interface MedianTime {
  readonly ms: number;
  readonly lo?: number;
  readonly hi?: number;
}

/** Returns the median of times in ms. Returns undefined below five times. */
export function medianTime(samples: readonly number[]): MedianTime | undefined {
  const ms = samples.length < MIN_SAMPLES ? undefined : median(samples);
  if (ms === undefined) return undefined;
  const estimate = estimatePercentile(samples, { p: 50 });
  return { ms, ...(estimate.kind === 'estimated' && { lo: estimate.lo, hi: estimate.hi }) };
}
