import type { DefinitionText } from '#documents';
import { isSmall } from '../frames/evaluation-frame.ts';
import { RUN_LIMITS } from '../limits.ts';
import { UrgentWork } from '../urgent-work.ts';
import { ThreadSlot } from './thread-slot.ts';
import type { Task } from './thread-slot.ts';

/** Settings of a pool of threads: its size, and the conditions for starting more threads. */
export interface ThreadPoolSettings<One extends Task> {
  readonly threads: number;
  readonly threadHeapMb: number;
  /** Texts of definitions by digest. */
  readonly texts: ReadonlyMap<string, DefinitionText>;
  /** Returns true if the queued tasks justify another thread. By default, another thread is always justified. */
  readonly grows?: (queued: readonly One[], slots: readonly ThreadSlot<One>[]) => boolean;
  /**
   * Counter of threads that run regular work. Background work pauses while the counter is not 0. A pool for regular work updates the
   * counter; background work reads it.
   */
  readonly urgent?: UrgentWork;
  /**
   * True if all work of the pool is background work. The threads of such a pool end after {@link RUN_LIMITS.backgroundIdleMs} without work.
   */
  readonly background?: boolean;
}

/** Pool of worker threads, with the tasks that wait for a thread or run on one. */
export class ThreadPool<One extends Task> {
  readonly #settings: ThreadPoolSettings<One>;
  readonly #slots: ThreadSlot<One>[] = [];
  readonly #busy = new Set<ThreadSlot<One>>();
  readonly #urgent: UrgentWork;
  #idleEnds: NodeJS.Timeout | undefined;
  /** Tasks that wait for an idle thread, in the order in which they are given to threads. */
  readonly #queued: One[] = [];

  constructor(settings: ThreadPoolSettings<One>) {
    this.#settings = settings;
    this.#urgent = settings.urgent ?? new UrgentWork();
  }

  /** Starts another thread. */
  start(): ThreadSlot<One> {
    const { texts, threadHeapMb } = this.#settings;
    const settings = { texts, heapMb: threadHeapMb, urgent: this.#urgent };
    const slot: ThreadSlot<One> = new ThreadSlot<One>(settings, {
      freed: () => {
        this.#busy.delete(slot);
        this.#reportBusy();
        this.dispatch();
      },
      gaveBack: (tasks) => {
        this.#queued.unshift(...tasks);
        this.dispatch();
      },
    });
    this.#slots.push(slot);
    return slot;
  }

  /** Queues a task. The task can begin at the next call of {@link dispatch}. */
  take(task: One): void {
    this.#queued.push(task);
  }

  /** Gives queued tasks to idle threads, in order. A thread receives one task, or several consecutive small tasks. */
  dispatch(): void {
    while (this.#queued.length > 0) {
      const slot = this.#slots.find(({ idle }) => idle) ?? this.#grow();
      if (!slot) return;
      const tasks = this.#queued.splice(0, givenAtOnce(this.#queued));
      this.#busy.add(slot);
      this.#reportBusy();
      slot.run(tasks);
    }
  }

  /** Cancels a task, whether it is queued or running. Has no effect on a task that is already answered. */
  cancel(task: One): void {
    const place = this.#queued.indexOf(task);
    if (place < 0) return this.#slots.forEach((slot) => slot.cancel(task));
    this.#queued.splice(place, 1);
    task.settle({ kind: 'terminated', spentMs: 0 });
  }

  /** Ends all threads. Queued and running tasks are not answered. */
  end(): void {
    clearTimeout(this.#idleEnds);
    this.#queued.length = 0;
    for (const slot of this.#slots.splice(0)) slot.end();
  }

  /**
   * Reports the number of busy threads, so that background work can pause. In a background pool, schedules the end of idle threads instead.
   */
  #reportBusy(): void {
    if (this.#settings.background !== true) return this.#urgent.set(this.#busy.size);
    clearTimeout(this.#idleEnds);
    if (this.#busy.size === 0) this.#idleEnds = setTimeout(() => this.end(), RUN_LIMITS.backgroundIdleMs).unref();
  }

  #grow(): ThreadSlot<One> | undefined {
    const { threads, grows } = this.#settings;
    return this.#slots.length < threads && (grows?.(this.#queued, this.#slots) ?? true) ? this.start() : undefined;
  }
}

/** Returns how many tasks from the start of the queue a thread receives together: several small tasks, or one task. */
function givenAtOnce(waiting: readonly Task[]): number {
  let small = 0;
  for (const { work } of waiting) {
    if (!(work instanceof Uint8Array) || !isSmall(work) || small === RUN_LIMITS.smallTasks) break;
    small++;
  }
  return Math.max(small, 1);
}
