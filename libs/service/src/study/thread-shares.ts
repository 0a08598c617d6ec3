import { backgroundThreads } from '#runner';

/** Studies that run at a time, at most, if there are threads for them. */
const MOST_STUDIES = 4;

/** The threads of studies. */
export interface ThreadShares {
  /** Threads for one study. */
  readonly threads: number;
  /** Studies that run at a time. */
  readonly studies: number;
}

/** Returns how studies share the background threads of an engine with so many other threads. */
export function threadShares(threads: number): ThreadShares {
  const free = backgroundThreads(threads);
  const each = Math.ceil(free / MOST_STUDIES);
  return { threads: each, studies: Math.floor(free / each) };
}
