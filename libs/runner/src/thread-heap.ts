import { z } from 'zod';
import { RUN_LIMITS } from './limits.ts';

/** Setting for the old-generation heap of a thread, in MB. Below 256 MB, permitted objects may not fit. */
export const threadHeapMb = z.coerce
  .number()
  .int()
  .min(16)
  .max(16_384)
  .default(RUN_LIMITS.threadHeapMb)
  .describe(
    'Heap of an engine thread in MB (the old generation of V8). An object that needs more gets no verdict; other objects are judged',
  );
