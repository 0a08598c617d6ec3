/** How a piece of work was warmed up. */
export interface WarmUp {
  readonly calls: number;
  /** It was given up before the work was steady. */
  readonly capped: boolean;
}

/** So many calls in a row must be near the best, before work counts as warm. */
const STEADY_CALLS = 40;
/** Near: within this of the best so far. */
const NEAR = 1.25;
/** A call that beats the best by so much starts the count anew: V8 has just replaced its code. */
const LEAP = 0.8;

/**
 * Calls work until its time is steady: a fixed number of calls would end before V8 has optimised what runs for long, and waste time on what
 * is slow. Slow work is warm after a few steady calls: what takes 100 ms is optimised while it runs.
 *
 * @param capMs gives up after that time, which the result says
 */
export function warmUp(call: () => void, capMs: number): WarmUp {
  const until = performance.now() + capMs;
  let best = Number.POSITIVE_INFINITY;
  let steady = 0;
  let calls = 0;
  while (steady < Math.min(STEADY_CALLS, Math.max(3, 400 / best))) {
    if (performance.now() > until) return { calls, capped: true };
    const started = performance.now();
    call();
    const ms = performance.now() - started;
    calls += 1;
    if (ms < best * LEAP) steady = 0;
    best = Math.min(best, ms);
    steady = ms < best * NEAR ? steady + 1 : 0;
  }
  return { calls, capped: false };
}
