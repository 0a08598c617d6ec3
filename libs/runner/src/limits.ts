/** The bounds of a run, with the reason of each figure (docs/explanation/security.md). */
export const RUN_LIMITS = {
  /**
   * Time in ms from setting the cancellation flag to ending the thread. It covers the longest parse of a legal (3 MiB) object, about 250
   * ms.
   */
  graceMs: 300,
  /** Time in ms from ending a thread to killing its host. Only a native call that ignores termination lasts this long. */
  killAfterMs: 2000,
  /**
   * Additional time in ms for a host to report a stuck thread before the host is killed. Only a host that processes no messages exceeds
   * this time.
   */
  unheardMs: 500,
  /** Time in ms for which a flow runs in quarantine after its work blocked a thread that did not end. */
  offenderMs: 600_000,
  /** Maximum number of flows that are remembered for quarantine. */
  offenders: 1000,
  /** First turn of a task in quarantine while other tasks wait there, in ms. Small tasks take a few ms after they are compiled. */
  quarantineTurnMs: 250,
  /** The host of a quarantine ends when it had no work for so long, ms. */
  quarantineIdleMs: 5000,
  /** Threads in the background end if they had no work for so long, ms. */
  backgroundIdleMs: 10_000,
  /** Old-generation heap of a thread, MB: the worst 3 MiB object parses into some 90 MB, beside its copies. */
  threadHeapMb: 768,
  /** Stack size of a thread in MB, sufficient for recursive walks over 10,000 levels. */
  threadStackMb: 16,
  /** Number of large tasks that the engine host receives per thread: the running task and the next task. */
  worksPerThread: 2,
  /** Number of small tasks that count as one large task. A thread receives them at once. */
  smallTasks: 16,
  /** Maximum size of a small task's frame, in bytes. A small task is an evaluation that also has at most `smallItems` objects. */
  smallBytes: 8 * 1024,
  /** Maximum number of objects of a small task. */
  smallItems: 4,
  /** Compiled definitions kept per thread; more while one chunk needs more. */
  cachedDefinitions: 128,
  /** Texts of definitions that the engine host keeps for its threads, bytes; those of running work are kept in any case. */
  hostTextBytes: 128 * 1024 * 1024,
} as const;
