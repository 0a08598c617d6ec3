/** The bounds of a run, with the reason of each figure (docs/explanation/security.md). */
export const RUN_LIMITS = {
  /** From raising the flag to ending the thread, ms: covers the longest parse of a legal (3 MiB) object, about 250 ms. */
  graceMs: 300,
  /** From ending a thread to killing its host, ms: only a native call that ignores termination lasts that long. */
  killAfterMs: 2000,
  /** The delay, ms, with which a host may report a stuck thread before it is killed. Only a host that hears nothing is so late. */
  unheardMs: 500,
  /** A flow whose work kept a thread that would not end runs in quarantine for so long, ms. */
  offenderMs: 600_000,
  /** Flows that are remembered for that. */
  offenders: 1000,
  /** The first turn of a task in quarantine while others wait there, ms: small tasks take a few, once they are compiled. */
  quarantineTurnMs: 250,
  /** The host of a quarantine ends when it had no work for so long, ms. */
  quarantineIdleMs: 5000,
  /** Threads in the background end if they had no work for so long, ms. */
  backgroundIdleMs: 10_000,
  /** Old-generation heap of a thread, MB: the worst 3 MiB object parses into some 90 MB, beside its copies. */
  threadHeapMb: 768,
  /** Stack of a thread, MB: recursive walks over 10,000 levels. */
  threadStackMb: 16,
  /** Large tasks that the engine host has for each thread: one runs, one is in hand. */
  worksPerThread: 2,
  /** Small tasks that count as a large one: a thread gets them at once. */
  smallTasks: 16,
  /** An evaluation is a small task up to so many bytes of its frame ... */
  smallBytes: 8 * 1024,
  /** ... and so many objects. */
  smallItems: 4,
  /** Compiled definitions kept per thread; more while one chunk needs more. */
  cachedDefinitions: 128,
  /** Texts of definitions that the engine host keeps for its threads, bytes; those of running work are kept in any case. */
  hostTextBytes: 128 * 1024 * 1024,
} as const;
