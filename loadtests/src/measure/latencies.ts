import { percentile } from '#benchmark';

/** Number of samples above a percentile that are needed to report the percentile. */
const SAMPLES_ABOVE = 10;

/** Summary of latencies in ms. A percentile is undefined if fewer than ten samples are above it, because it would be random. */
export interface LatencySummary {
  readonly samples: number;
  readonly p50: number | undefined;
  readonly p90: number | undefined;
  readonly p99: number | undefined;
  readonly p999: number | undefined;
  readonly max: number | undefined;
}

/** Summarizes latencies. */
export function latencySummary(samples: readonly number[]): LatencySummary {
  const sorted = samples.toSorted((a, b) => a - b);
  const reported = (p: number): number | undefined =>
    sorted.length * (1 - p / 100) >= SAMPLES_ABOVE - 1e-6 ? percentile(sorted, p) : undefined;
  return { samples: sorted.length, p50: reported(50), p90: reported(90), p99: reported(99), p999: reported(99.9), max: sorted.at(-1) };
}
