import { setImmediate as nextTask } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Number of consecutive garbage collections. Several are needed because weakly held objects are released between tasks. */
const COLLECTIONS = 2;

/** Collects garbage and returns the heap size in use, in bytes. */
export async function collectedHeap(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let time = 0; time < COLLECTIONS; time++) {
    await nextTask();
    collect();
  }
  return process.memoryUsage().heapUsed;
}
