/** What bounds a run, with the reason of each figure (docs/security.md). */
export const RUN_LIMITS = {
  /** From raising the flag to ending the thread, ms: covers the longest parse of a legal (3 MiB) object, about 250 ms. */
  graceMs: 300,
  /** From ending the thread to killing the host, ms: only a native call that ignores termination lasts that long. */
  killAfterMs: 2000,
  /** Old-generation heap of a thread, MB: the worst 3 MiB object parses into some 90 MB, and copies of it stand beside. */
  threadHeapMb: 768,
  /** Stack of a thread, MB: recursive walks over 10,000 levels. */
  threadStackMb: 16,
  /** Pieces of work that the engine host holds for each thread: while one runs, the next are there already. */
  worksPerThread: 4,
  /**
   * Work that a consumer claims beyond what runs, ms a thread by what it is expected to take: so much earlier than it can run is a chunk
   * chosen. Enough that threads need not wait for the next small chunk, too little for whoever comes to notice.
   */
  aheadMs: 4,
  /** Compiled definitions kept per thread; more while one chunk needs more. */
  cachedDefinitions: 128,
  /** Texts of definitions that the engine host keeps for its threads, bytes; those of running work are kept in any case. */
  hostTextBytes: 128 * 1024 * 1024,
  /** Leases of running chunks are renewed this often, ms: a lost message about a cancellation delays it by no more. */
  renewMs: 1000,
  /** Claims after which a chunk is given up: its consumers, whole processes, were lost each time. */
  claims: 8,
} as const;
