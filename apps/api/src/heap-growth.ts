import type { EventEmitter } from 'node:events';
import { setFlagsFromString } from 'node:v8';

/** Number of bodies that are being streamed through this process. */
let streams = 0;

/**
 * Makes V8 collect the whole heap sooner while a request body is streamed, until the response `answer` is closed. Does nothing if `percent`
 * is 0. A streamed body arrives in memory blocks outside the heap, which V8 hardly takes into account. Some blocks survive after their
 * objects are evaluated, and V8 by default lets about 60 MB of them accumulate. Sooner collections would cost other requests a third more
 * CPU without benefit. V8 reads the flag for heap growth before each decision, so the flag may be set while the process runs. `setFlag`
 * passes a flag to V8.
 */
export function limitHeapGrowth(percent: number, answer: Pick<EventEmitter, 'once'>, setFlag = setFlagsFromString): void {
  if (percent === 0) return;
  const setGrowth = (growth: number): void => setFlag(`--heap-growing-percent=${growth}`);
  streams += 1;
  if (streams === 1) setGrowth(percent);
  answer.once('close', () => {
    streams -= 1;
    if (streams === 0) setGrowth(0);
  });
}
