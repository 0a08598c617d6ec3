import { setImmediate as nextTask } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Collections in a row: objects that are weakly held are let go between tasks. */
const COLLECTIONS = 2;

/** Returns the bytes of heap in use after all garbage was collected. */
export async function collectedHeap(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let time = 0; time < COLLECTIONS; time++) {
    await nextTask();
    collect();
  }
  return process.memoryUsage().heapUsed;
}
