/**
 * Minimum duration, in ms, of a period for which {@link watchCore} returns the share of time without a CPU core. For shorter periods the
 * share is not precise enough, because kernels may count CPU time in steps of some ms.
 */
const MIN_MS = 200;

/** Clocks with which a period of work is measured. */
export interface CoreClocks {
  /** Returns the time of a monotonic clock, in ms. */
  readonly now: () => number;
  /** Returns the CPU time of this thread, in ms. Absent if the platform does not report CPU times. */
  readonly cpuMs?: () => number;
}

/**
 * Begins to measure how long this thread has no CPU core. The returned function returns the share of the time without a core, 0 to 1. It
 * returns undefined for periods below 200 ms, and on platforms without a CPU clock.
 */
export function watchCore({ now, cpuMs }: CoreClocks): () => number | undefined {
  const begun = { at: now(), cpu: cpuMs?.() ?? 0 };
  return () => {
    const ms = now() - begun.at;
    if (cpuMs === undefined || ms < MIN_MS) return undefined;
    return Math.min(1, Math.max(0, 1 - (cpuMs() - begun.cpu) / ms));
  };
}
