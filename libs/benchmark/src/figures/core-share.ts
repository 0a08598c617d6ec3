/** Shorter stretches tell nothing: kernels may count CPU time in steps of some ms. */
const LEAST_MS = 200;

/** Clocks of a stretch of work. */
export interface CoreClocks {
  /** A monotonic clock, ms. */
  readonly now: () => number;
  /** CPU time of this thread, ms; absent if the platform does not tell. */
  readonly cpuMs?: () => number;
}

/**
 * Begins to watch the core of this thread. The returned function gives the share of the time without a core, 0 to 1. It gives undefined for short times, and on
 * platforms without a CPU clock.
 */
export function watchCore({ now, cpuMs }: CoreClocks): () => number | undefined {
  const begun = { at: now(), cpu: cpuMs?.() ?? 0 };
  return () => {
    const ms = now() - begun.at;
    if (cpuMs === undefined || ms < LEAST_MS) return undefined;
    return Math.min(1, Math.max(0, 1 - (cpuMs() - begun.cpu) / ms));
  };
}
