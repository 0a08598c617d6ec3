import { createHistogram } from 'node:perf_hooks';
import type { RecordableHistogram } from 'node:perf_hooks';

/** What Node 26 offers beyond its published types. */
interface Histogram extends RecordableHistogram {
  recordCorrected(value: number, expectedInterval: number): void;
  percentileCI(percentile: number): { readonly value: number; readonly lower: number; readonly upper: number };
}

const NS_PER_MS = 1e6;
/** Longest latency that is told apart, ms. */
const LONGEST_MS = 600_000;
/** Samples that must lie above a percentile for it to be told. */
const SAMPLES_ABOVE = 10;

/** The percentiles of a report. */
export const PERCENTILES = [50, 90, 99, 99.9] as const;

/** Latencies summed up, ms. A percentile with fewer than ten samples above it is null: it would be chance. */
export interface LatencySummary {
  readonly samples: number;
  readonly p50: number | null;
  readonly p90: number | null;
  readonly p99: number | null;
  readonly p999: number | null;
  /** Undefined without samples. */
  readonly max: number | undefined;
  /** 95 % interval of the 99th percentile; null where that is. */
  readonly p99Interval: readonly [lo: number, hi: number] | null;
  /** Points of the distribution: share at or below, in per cent, and ms. */
  readonly curve: readonly (readonly [percent: number, ms: number])[];
}

/** Latencies of a load, kept to three figures. */
export class Latencies {
  readonly #histogram = createHistogram({ lowest: 1000, highest: LONGEST_MS * NS_PER_MS, figures: 3 }) as Histogram;

  add(ms: number): void {
    this.#histogram.record(nanoseconds(ms));
  }

  /**
   * Adds a latency of a client that sends every `intervalMs` unless it still waits, with those of the requests that it could not send
   * meanwhile (HdrHistogram's correction). Only for closed clients with a pace of their own.
   */
  addCorrected(ms: number, intervalMs: number): void {
    this.#histogram.recordCorrected(nanoseconds(ms), nanoseconds(intervalMs));
  }

  /** Takes in the latencies of another worker: percentiles must never be averaged. */
  merge(other: Latencies): void {
    this.#histogram.add(other.#histogram);
  }

  summary(): LatencySummary {
    const histogram = this.#histogram;
    const samples = histogram.count;
    const told = (percent: number): number | null =>
      samples * (1 - percent / 100) >= SAMPLES_ABOVE - 1e-6 ? histogram.percentile(percent) / NS_PER_MS : null;
    const curve: [number, number][] = [];
    for (let step = 0; step <= 60; step++) {
      const percent = 100 * (1 - 10 ** (-step / 17));
      const ms = percent > 0 ? told(percent) : null;
      if (ms !== null) curve.push([percent, ms]);
    }
    const p99 = told(99);
    const interval = p99 === null ? undefined : histogram.percentileCI(99);
    return {
      samples,
      p50: told(50),
      p90: told(90),
      p99,
      p999: told(99.9),
      max: samples === 0 ? undefined : histogram.max / NS_PER_MS,
      p99Interval: interval === undefined ? null : [interval.lower / NS_PER_MS, interval.upper / NS_PER_MS],
      curve,
    };
  }
}

const nanoseconds = (ms: number): number => Math.max(1000, Math.min(Math.round(ms * NS_PER_MS), LONGEST_MS * NS_PER_MS));

/** A latency for people; `–` where there were too few samples to tell. */
export const latencyText = (ms: number | null | undefined): string =>
  ms === null || ms === undefined ? '–' : ms < 10 ? ms.toFixed(2) : ms.toFixed(1);
