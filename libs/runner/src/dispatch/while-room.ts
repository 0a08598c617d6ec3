import { setTimeout } from 'node:timers/promises';
import { chunkBytes } from '#documents';
import type { DocumentSlice } from '#documents';

/** Pause in ms between two checks if a full queue has room for the next run of an arriving batch. */
const FULL_QUEUE_PAUSE_MS = 20;

/** Yields the runs of an arriving batch. Reads no further run while the queue has no room for the last one. */
export async function* whileRoom(
  source: AsyncGenerator<readonly DocumentSlice[]>,
  hasRoom: (bytes: number) => boolean,
): AsyncGenerator<readonly DocumentSlice[]> {
  for await (const run of source) {
    while (!hasRoom(chunkBytes(run))) await setTimeout(FULL_QUEUE_PAUSE_MS);
    yield run;
  }
}
