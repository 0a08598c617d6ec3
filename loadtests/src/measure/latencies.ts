import { percentile } from '#benchmark';

/** Samples that must lie above a percentile for it to be told. */
const SAMPLES_ABOVE = 10;

/** Latencies summed up, ms. A percentile with fewer than ten samples above it is undefined: it would be chance. */
export interface LatencySummary {
  readonly samples: number;
  readonly p50: number | undefined;
  readonly p90: number | undefined;
  readonly p99: number | undefined;
  readonly p999: number | undefined;
  readonly max: number | undefined;
}

/** Sums latencies up. */
export function latencySummary(samples: readonly number[]): LatencySummary {
  const sorted = samples.toSorted((a, b) => a - b);
  const reported = (p: number): number | undefined =>
    sorted.length * (1 - p / 100) >= SAMPLES_ABOVE - 1e-6 ? percentile(sorted, p) : undefined;
  return { samples: sorted.length, p50: reported(50), p90: reported(90), p99: reported(99), p999: reported(99.9), max: sorted.at(-1) };
}

/** Returns a latency for people; `–` if there were too few samples to tell. */
export const latencyText = (ms: number | undefined): string => (ms === undefined ? '–' : ms < 10 ? ms.toFixed(2) : ms.toFixed(1));
