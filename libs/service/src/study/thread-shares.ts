import { backgroundThreads } from '#runner';

/** Highest number of studies that run at the same time. Fewer run if there are not enough threads. */
const MOST_STUDIES = 4;

/** Division of the background threads among studies. */
export interface ThreadShares {
  /** Threads for one study. */
  readonly threads: number;
  /** Number of studies that run at the same time. */
  readonly studies: number;
}

/** Returns how studies share the background threads of an engine that has `threads` other threads. */
export function threadShares(threads: number): ThreadShares {
  const free = backgroundThreads(threads);
  const each = Math.ceil(free / MOST_STUDIES);
  return { threads: each, studies: Math.floor(free / each) };
}
