import { backgroundThreads } from '#runner';

/** Maximum number of studies that run at the same time. Fewer studies run if there are not enough threads. */
const MAX_STUDIES = 4;

/** Division of the background threads among studies. */
export interface ThreadShares {
  /** Number of threads for each study. */
  readonly threads: number;
  /** Maximum number of studies that run at the same time. */
  readonly studies: number;
}

/**
 * Returns the number of background threads that each study gets, and the number of studies that run at the same time. `threads` is the
 * number of the engine's regular threads, which determines the number of background threads.
 */
export function threadShares(threads: number): ThreadShares {
  const free = backgroundThreads(threads);
  const each = Math.ceil(free / MAX_STUDIES);
  return { threads: each, studies: Math.floor(free / each) };
}
