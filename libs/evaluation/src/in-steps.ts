import { setImmediate } from 'node:timers/promises';

/** Bytes that are scanned in one step, about 1 ms of work: what else waits for the event loop runs between steps. */
export const STEP_BYTES = 512 * 1024;

/** Runs work whose generator yields after each step; others may run in between. Work of one step is done at once. */
export async function inSteps<Result>(work: Generator<undefined, Result>): Promise<Result> {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    await setImmediate();
  }
}
