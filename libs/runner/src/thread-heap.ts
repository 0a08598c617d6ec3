import { z } from 'zod';
import { RUN_LIMITS } from './limits.ts';

/** Setting for the heap size of a thread, in MB. Below 256 MB, legal objects may not fit. */
export const threadHeapMb = z.coerce
  .number()
  .int()
  .min(16)
  .max(16_384)
  .default(RUN_LIMITS.threadHeapMb)
  .describe('Old-generation heap of a thread, MB; an object that needs more ends without a verdict, alone');
