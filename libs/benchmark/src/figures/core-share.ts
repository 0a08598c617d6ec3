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
 * Begins to watch whether this thread has a core. Returns a function that returns the share of the time since then for which it had none, 0 to 1; undefined if
 * the platform does not tell, or the time was too short.
 */
export function watchCore({ now, cpuMs }: CoreClocks): () => number | undefined {
  const begun = { at: now(), cpu: cpuMs?.() ?? 0 };
  return () => {
    const ms = now() - begun.at;
    if (cpuMs === undefined || ms < LEAST_MS) return undefined;
    return Math.min(1, Math.max(0, 1 - (cpuMs() - begun.cpu) / ms));
  };
}
