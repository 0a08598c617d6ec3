import { setFlagsFromString } from 'node:v8';
import { z } from 'zod';

/** By how much the heap of the API process grows before V8 collects all of it, as an operator configures it. */
export const heapGrowthPercent = z.coerce
  .number()
  .int()
  .min(0)
  .max(1000)
  .default(50)
  .describe(
    'The heap of an API process may grow by so much beyond what was alive in it before all of it is collected: bodies that were read stay in memory until then; 0: as V8 sees fit, which is later',
  );

/**
 * Tells V8 when to collect the whole heap. The body of a stream passes through in blocks; some are promoted with what is judged of them, lie outside the heap, and hardly
 * count there: left to itself V8 lets some 60 MB of them gather. V8 reads this flag anew before each decision, so it may be set while the process runs.
 */
export function limitHeapGrowth(percent: number): void {
  setFlagsFromString(`--heap-growing-percent=${percent}`);
}
