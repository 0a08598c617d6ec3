import type { EventEmitter } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { z } from 'zod';

/** The growth of the API process' heap, while bodies stream through, after which V8 collects all of it: a setting. */
export const heapGrowthPercent = z.coerce
  .number()
  .int()
  .min(0)
  .max(1000)
  .default(50)
  .describe(
    'Growth of the heap of an API process, in per cent of the live objects, before a full collection while bodies stream. Bytes that were read stay in memory until then. 0: V8 decides, which is later',
  );

/** Bodies that stream through this process. */
let streams = 0;

/**
 * Tells V8, until an answer is closed, to collect the whole heap sooner. The body of a stream comes in blocks of memory outside the heap, which hardly count there.
 * Some live longer than their judging, and V8 alone would let some 60 MB of them gather. For other requests, sooner collections would cost a third more CPU for
 * nothing. V8 reads this flag anew before each decision, so it may be set while the process runs.
 */
export function limitHeapGrowth(percent: number, answer: Pick<EventEmitter, 'once'>): void {
  if (percent === 0) return;
  streams += 1;
  if (streams === 1) setGrowth(percent);
  answer.once('close', () => {
    streams -= 1;
    if (streams === 0) setGrowth(0);
  });
}

function setGrowth(percent: number): void {
  setFlagsFromString(`--heap-growing-percent=${percent}`);
}
