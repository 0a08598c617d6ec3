import type { CellBounds } from './cell-engine.ts';

/** Studies that run at a time, at most, if there are threads for them. */
const MOST_STUDIES = 4;
/** The longest cell, ms, if other work has to wait for its thread. */
const CELL_MS = 250;

/** The threads of studies. */
export interface ThreadShares extends CellBounds {
  /** Studies that run at a time. */
  readonly studies: number;
}

/** Returns how studies share the threads of an engine. One thread is left to other work, if there is more than one. */
export function threadShares(threads: number): ThreadShares {
  const free = Math.max(1, threads - 1);
  const each = Math.ceil(free / MOST_STUDIES);
  return { threads: each, studies: Math.floor(free / each), mostMs: threads === 1 ? CELL_MS : Infinity };
}
