/** Limits of the engine that runs tasks. The reasons for the values are in docs/explanation/security.md. */
export const RUN_LIMITS = {
  /**
   * Time in ms from setting the cancellation flag to ending the thread. It covers the longest parse of a legal (3 MiB) object, about 250
   * ms.
   */
  graceMs: 300,
  /** Time in ms from ending a thread to killing its host. Only a native call that V8 cannot interrupt exceeds this time. */
  killAfterMs: 2000,
  /**
   * Additional time in ms for a host to report a stuck thread before the host is killed. Only a host that no longer processes messages
   * exceeds this time.
   */
  unheardMs: 500,
  /** Time in ms for which a flow runs in quarantine. A flow enters quarantine if its work blocks a thread that cannot be ended. */
  offenderMs: 600_000,
  /** Maximum number of flows that are recorded so that their work starts in quarantine. */
  offenders: 1000,
  /**
   * Duration in ms of a task's first turn in quarantine while other tasks wait. Small tasks take only a few ms once their definitions are
   * compiled.
   */
  quarantineTurnMs: 250,
  /** Time in ms without work after which the host of a quarantine ends. */
  quarantineIdleMs: 5000,
  /** Time in ms without work after which background threads end. */
  backgroundIdleMs: 10_000,
  /** Old-generation heap of a thread, in MB. The worst 3 MiB object needs about 90 MB when parsed, plus its copies. */
  threadHeapMb: 768,
  /**
   * Young-generation heap of a thread, in MB: three semispaces of 8 MB. The temporary data of an object is garbage at the end of its chunk.
   * So this size is as cheap as the 96 MB that V8 would otherwise allow. It also keeps accidents within the thread. If a thread exceeds its
   * heap, Node lets V8 allocate 16 MB more to finish the garbage collection. A larger young generation needs more, and V8 aborts the process.
   */
  threadYoungMb: 24,
  /** Stack size of a thread in MB. It suffices for recursion over documents whose objects and lists are nested 10,000 levels deep. */
  threadStackMb: 16,
  /** Number of large tasks per thread that the engine host receives: the running task and the next task. */
  worksPerThread: 2,
  /** Number of small tasks that count as one large task. A thread receives this many small tasks at once. */
  smallTasks: 16,
  /**
   * Maximum size in bytes of a small task's frame. A small task is an evaluation with at most `smallItems` objects whose frame has at most
   * this size.
   */
  smallBytes: 8 * 1024,
  /** Maximum number of objects of a small task. */
  smallItems: 4,
  /**
   * Maximum number of compiled definitions that a thread caches. A chunk that needs more definitions raises the number for its duration.
   */
  cachedDefinitions: 128,
  /** Maximum total size, in bytes, of the definition texts that the engine host keeps. Texts of running work are always kept. */
  hostTextBytes: 128 * 1024 * 1024,
} as const;
