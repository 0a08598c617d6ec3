/**
 * Maximum total expected time, in ms per thread, of the tasks in the engine. It ensures that threads do not wait for the next small task,
 * and that new work is hardly delayed.
 */
const AHEAD_MS = 4;

/** Maximum number of tasks per thread in the engine, however small they are. */
const MAX_TASKS = 16;

/** Task that was passed to the engine and has not ended. */
interface Task {
  /** Expected time on a thread in ms; Infinity if no other task may wait behind this task in the engine. */
  readonly expectedMs: number;
}

/**
 * Count of the tasks that the engine has not finished. The engine accepts one task for each thread. It accepts more tasks while their
 * number and their total expected time are below limits. All other work stays in the queue from which it comes.
 */
export class EngineLoad {
  readonly #threads: number;
  readonly #tasks = new Set<Task>();

  constructor(threads: number) {
    this.#threads = threads;
  }

  /** True if the engine accepts another task now. */
  get free(): boolean {
    const { size } = this.#tasks;
    if (size < this.#threads) return true;
    if (size >= MAX_TASKS * this.#threads) return false;
    let expectedMs = 0;
    for (const task of this.#tasks) expectedMs += task.expectedMs;
    return expectedMs < this.#threads * AHEAD_MS;
  }

  /** Counts a task as passed to the engine. Returns a function that the caller must call when the task ends. */
  take(expectedMs: number): () => void {
    const task = { expectedMs };
    this.#tasks.add(task);
    return () => void this.#tasks.delete(task);
  }
}

/** Time constant, in ms, of the moving mean of occupied engine threads; long enough to smooth out single requests. */
const MEAN_MS = 1000;

/**
 * Meter of the free engine threads of this process. It computes the mean number of threads that are not occupied by the work of this
 * process's own clients. Other processes may send work to these free threads.
 */
export class FreeSeats {
  readonly #seats: number;
  readonly #now: () => number;
  #taken = 0;
  /** Mean number of seats that were recently occupied. */
  #mean = 0;
  #updatedAt: number;

  /** @param now monotonic clock that returns ms */
  constructor(seats: number, now: () => number = () => performance.now()) {
    this.#seats = seats;
    this.#now = now;
    this.#updatedAt = now();
  }

  /** Mean number of seats that were recently free, with a fraction. */
  get free(): number {
    this.#update();
    return this.#seats - this.#mean;
  }

  /** Counts a seat as occupied. Returns a function that the caller must call when the seat is free again. */
  take(): () => void {
    this.#update();
    this.#taken += 1;
    return () => {
      this.#update();
      this.#taken -= 1;
    };
  }

  /** Moves the mean towards the number of seats that are occupied now. Tasks that wait in the engine for a thread do not count. */
  #update(): void {
    const now = this.#now();
    const taken = Math.min(this.#taken, this.#seats);
    this.#mean += (taken - this.#mean) * (1 - Math.exp((this.#updatedAt - now) / MEAN_MS));
    this.#updatedAt = now;
  }
}
