import { NOT_RUN } from '../engine.ts';
import { hasRoom } from './offers.ts';
import type { OfferAnswer, OfferedTask, OfferKind, Offers, OfferSource } from './offers.ts';

/** Interval in ms at which the process gives a sign of life for the tasks that it took. */
const KEEP_MS = 1000;
/** Reason for which a task is stopped if no process waits for its answer. */
const UNWANTED = Symbol('unwanted');

/** Functions with which a process performs tasks of other processes. */
export interface OfferServing {
  /** Returns the number of engine threads of this process that are free for tasks of a kind. */
  readonly seats: (kind: OfferKind) => number;
  /** Performs a task until its end, or until the signal is aborted. Never rejects. */
  readonly perform: (task: OfferedTask, signal: AbortSignal) => Promise<OfferAnswer>;
  /** Called if the storage does not answer. */
  readonly failed: (error: unknown) => void;
}

/** Task that this process took from another process. */
interface TakenTask {
  readonly kind: OfferKind;
  readonly expectedMs: number;
  readonly stop: AbortController;
  readonly done: Promise<void>;
}

/** Service that takes tasks of other processes while this process has free engine threads, and sends back their answers. */
export class OfferServer {
  readonly #offers: Offers;
  readonly #serving: OfferServing;
  readonly #taken = new Map<string, TakenTask>();
  /** Offers that may have more tasks, in the order in which the next task is taken from each. */
  readonly #sources: OfferSource[] = [];
  readonly #taking = new Set<OfferKind>();
  readonly #stopListening: readonly (() => void)[];
  readonly #keeping: NodeJS.Timeout;
  #isEnding = false;

  constructor(offers: Offers, serving: OfferServing) {
    this.#offers = offers;
    this.#serving = serving;
    this.#keeping = setInterval(() => void this.#keep(), KEEP_MS).unref();
    this.#stopListening = [
      offers.onOffered((source) => {
        const { kind, origin } = source;
        if (!this.#sources.some((known) => known.kind === kind && known.origin === origin)) this.#sources.push(source);
        void this.#take(kind);
      }),
      offers.onStopped((id) => this.#taken.get(id)?.stop.abort()),
    ];
  }

  /** Number of tasks of other processes that this process performs now. */
  get taken(): number {
    return this.#taken.size;
  }

  /** Stops taking tasks, and stops all taken tasks. Resolves when their answers are stored. */
  async end(): Promise<void> {
    this.#isEnding = true;
    for (const stop of this.#stopListening) stop();
    for (const { stop } of this.#taken.values()) stop.abort();
    await Promise.all([...this.#taken.values()].map(({ done }) => done));
    clearInterval(this.#keeping);
  }

  /** Takes as many tasks as this process has free seats for. */
  async #take(kind: OfferKind): Promise<void> {
    if (this.#taking.has(kind)) return;
    this.#taking.add(kind);
    try {
      while (this.#hasRoom(kind)) {
        const i = this.#sources.findIndex((source) => source.kind === kind);
        const [source] = i < 0 ? [] : this.#sources.splice(i, 1);
        if (source === undefined) break;
        const most = Math.max(1, Math.floor(this.#serving.seats(kind)));
        const tasks = await this.#offers.take(source, most);
        if (tasks.length === most) this.#sources.push(source);
        for (const task of tasks) this.#begin(task);
      }
    } catch (error) {
      this.#serving.failed(error);
    } finally {
      this.#taking.delete(kind);
    }
  }

  #hasRoom(kind: OfferKind): boolean {
    const held = [...this.#taken.values()].filter((task) => task.kind === kind);
    return !this.#isEnding && hasRoom(kind, Math.floor(this.#serving.seats(kind)), held);
  }

  #begin(task: OfferedTask): void {
    const stop = new AbortController();
    const done = this.#perform(task, stop.signal).finally(() => {
      this.#taken.delete(task.id);
      void this.#take(task.kind);
    });
    const { kind, expectedMs } = task;
    this.#taken.set(task.id, { kind, expectedMs, stop, done });
  }

  async #perform(task: OfferedTask, signal: AbortSignal): Promise<void> {
    try {
      const answer = this.#isEnding ? NOT_RUN : await this.#serving.perform(task, signal);
      if (signal.reason !== UNWANTED) await this.#offers.answer(task.id, answer);
    } catch (error) {
      // The process that offered the task gets no answer, and then performs the task itself.
      this.#serving.failed(error);
    }
  }

  /** Gives a sign of life for all taken tasks. Stops each task that no process waits for. */
  async #keep(): Promise<void> {
    for (const { kind } of this.#sources) void this.#take(kind);
    const ids = [...this.#taken.keys()];
    if (ids.length === 0) return;
    const kept = await this.#offers.keep(ids).catch(() => ids.map(() => true));
    for (const [i, id] of ids.entries()) if (kept[i] === false) this.#taken.get(id)?.stop.abort(UNWANTED);
  }
}
