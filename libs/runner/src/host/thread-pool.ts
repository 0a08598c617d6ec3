import type { DefinitionText } from '#evaluation';
import { isSmall } from '../frames/evaluation-frame.ts';
import { RUN_LIMITS } from '../limits.ts';
import { UrgentWork } from '../urgent-work.ts';
import { ThreadSlot } from './thread-slot.ts';
import type { Task } from './thread-slot.ts';

/** Size of a pool, and when it grows to that. */
export interface ThreadPoolSettings<One extends Task> {
  readonly threads: number;
  readonly threadHeapMb: number;
  /** Texts of definitions by digest. */
  readonly texts: ReadonlyMap<string, DefinitionText>;
  /** Returns true if the queued tasks justify another thread. By default, another thread is always justified. */
  readonly grows?: (queued: readonly One[], started: number) => boolean;
  /** Counter of the work that has priority over background work. A pool without background work updates it; background work reads it. */
  readonly urgent?: UrgentWork;
  /** True if all work of the pool is background work. Its threads end if they had no work for {@link RUN_LIMITS.backgroundIdleMs}. */
  readonly background?: boolean;
}

/** Threads, and the tasks that are queued for them or run on them. */
export class ThreadPool<One extends Task> {
  readonly #settings: ThreadPoolSettings<One>;
  readonly #slots: ThreadSlot<One>[] = [];
  readonly #busy = new Set<ThreadSlot<One>>();
  readonly #urgent: UrgentWork;
  #idleEnds: NodeJS.Timeout | undefined;
  /** Tasks that run when a thread is idle again, in order. */
  readonly #queued: One[] = [];

  constructor(settings: ThreadPoolSettings<One>) {
    this.#settings = settings;
    this.#urgent = settings.urgent ?? new UrgentWork();
  }

  /** Starts a further thread. */
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

  /** Queues a task. It begins with the next {@link dispatch}. */
  take(task: One): void {
    this.#queued.push(task);
  }

  /** Gives idle threads queued tasks, in turn: one task, or all small ones that follow each other. */
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

  /** Cancels a task, queued or running. An answered task does not change. */
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

  /** Reports to background work how many threads have other work. In a background pool, schedules the end of idle threads instead. */
  #reportBusy(): void {
    if (this.#settings.background !== true) return this.#urgent.set(this.#busy.size);
    clearTimeout(this.#idleEnds);
    if (this.#busy.size === 0) this.#idleEnds = setTimeout(() => this.end(), RUN_LIMITS.backgroundIdleMs).unref();
  }

  #grow(): ThreadSlot<One> | undefined {
    const { threads, grows } = this.#settings;
    const { length } = this.#slots;
    return length < threads && (grows?.(this.#queued, length) ?? true) ? this.start() : undefined;
  }
}

/** Returns the number of tasks that a thread is given at once. */
function givenAtOnce(waiting: readonly Task[]): number {
  let small = 0;
  for (const { work } of waiting) {
    if (!(work instanceof Uint8Array) || !isSmall(work) || small === RUN_LIMITS.smallTasks) break;
    small++;
  }
  return Math.max(small, 1);
}
