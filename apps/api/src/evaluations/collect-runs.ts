import { ChunkCutter } from '#evaluation';
import type { DocumentSlice } from '#evaluation';

/** A streamed batch is judged as far as it came when the client pauses this long, ms. */
const PAUSE_MS = 15;
const PAUSED = Symbol('paused');

/** Collects streamed items into runs of `most` items or fewer; a run ends when it is full, or when nothing came for a moment. */
export async function* collectRuns(blocks: AsyncIterable<readonly DocumentSlice[]>, most?: number): AsyncGenerator<DocumentSlice[]> {
  const cutter = new ChunkCutter(most);
  const iterator = blocks[Symbol.asyncIterator]();
  let next = iterator.next();
  try {
    for (;;) {
      const step = await orPause(next);
      if (step === PAUSED) {
        const run = cutter.flush();
        if (run) yield run;
        await next;
      } else if (step.done) break;
      else {
        for (const item of step.value) {
          const run = cutter.add(item);
          if (run) yield run;
        }
        next = iterator.next();
      }
    }
    const rest = cutter.flush();
    if (rest) yield rest;
  } finally {
    // Whoever sends may be silent for long: what nobody will read is not waited for.
    next.catch(() => undefined);
    iterator.return?.().catch(() => undefined);
  }
}

async function orPause<T>(next: Promise<T>): Promise<T | typeof PAUSED> {
  let timer: NodeJS.Timeout | undefined;
  const pause = new Promise<typeof PAUSED>((resolve) => {
    timer = setTimeout(resolve, PAUSE_MS, PAUSED);
  });
  try {
    return await Promise.race([next, pause]);
  } finally {
    clearTimeout(timer);
  }
}
