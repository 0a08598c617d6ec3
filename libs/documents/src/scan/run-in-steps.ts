import { setImmediate } from 'node:timers/promises';

/** Number of bytes that are scanned in one step, which takes about 1 ms. Between steps, the event loop can run other work. */
export const STEP_BYTES = 512 * 1024;

/**
 * Runs a generator to its end. After each `yield`, other work of the event loop may run. A generator without a `yield` completes
 * immediately.
 */
export async function runInSteps<Result>(work: Generator<undefined, Result>): Promise<Result> {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    await setImmediate();
  }
}
