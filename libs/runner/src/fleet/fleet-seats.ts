import { steadyNow } from '#documents';
import type { Telemetry } from '#telemetry';
import { NOT_RUN, wasStopped } from '../engine.ts';
import type { Engine, RunAnswer, RunSettings } from '../engine.ts';
import { queueKeyOf } from '../flow/index.ts';
import type { Flow, QueueKey } from '../flow/index.ts';
import type { ResultOf, Work } from '../protocol.ts';
import { hasRoom, maxTasks } from './offers.ts';
import type { OfferAnswer, OfferKind, OfferNews, Offers, OfferState } from './offers.ts';

/** Time in ms within which another process must take an offered task. */
const TAKING_MS = 50;
/** Time in ms without offers after a task came back, because the other processes are busier than they reported. */
const PAUSE_MS = 1000;
/** Interval in ms at which the storage is asked about offered tasks, because news may be lost. */
const LOOK_MS = 1000;
/** Time in ms without a sign of life after which a taken task counts as lost, even if the storage does not answer. */
const SILENCE_MS = 5000;
/** Time in ms for which a stopped task may still answer. Its answer has the results of the items that were evaluated before. */
const LATE_ANSWER_MS = 1000;

/** Place of a task in a fleet: its position in the fair queue, and its expected time on a thread in ms. */
export interface OfferPlace {
  readonly queueKey: QueueKey;
  readonly expectedMs: number;
  /** Flow that is charged for the stored texts of the task; undefined if the texts are already stored. */
  readonly holder: Flow | undefined;
}

/** Offered task without an answer. */
interface OpenOffer {
  readonly id: string;
  readonly kind: OfferKind;
  readonly expectedMs: number;
  isTaken: boolean;
  /** Time of the last sign of life of the process that took the task, by `performance.now()`. */
  seenAt: number;
  readonly end: (answer: OfferAnswer | undefined) => void;
}

/**
 * Engine threads of the other processes of a fleet, for tasks of one kind. A task is offered to processes with free threads. A task that no
 * process takes, or that no process answers, is not run. The caller then runs it in this process. Each task therefore has one answer.
 */
export class FleetSeats {
  readonly node: string;
  readonly #offers: Offers;
  readonly #kind: OfferKind;
  readonly #open = new Map<string, OpenOffer>();
  readonly #count: (end: 'answered' | 'returned') => void;
  #pausedUntil = 0;
  #looking: NodeJS.Timeout | undefined;
  readonly #stopListening: () => void;

  constructor(offers: Offers, kind: OfferKind, { metrics }: Pick<Telemetry, 'metrics'>) {
    this.node = offers.node;
    this.#offers = offers;
    this.#kind = kind;
    this.#count = (end) => metrics.counters.offeredWork.add(1, { kind, end });
    this.#stopListening = offers.onNews((news) => void this.#onEvent(news));
  }

  /** Maximum number of tasks that this process may offer at a time: the free engine threads of other processes need no more. */
  get window(): number {
    return maxTasks(this.#kind, this.#seats);
  }

  /** True if a further task may be offered now. */
  get hasRoom(): boolean {
    return hasRoom(this.#kind, this.#seats, [...this.#open.values()]);
  }

  get #seats(): number {
    return performance.now() < this.#pausedUntil ? 0 : this.#offers.seats(this.#kind);
  }

  /** Asks the storage for the number of free seats, which is otherwise known from the last heartbeat. */
  async refresh(): Promise<void> {
    await this.#offers.refresh().catch(() => undefined);
  }

  /**
   * Offers a task and resolves to its answer. The answer `NOT_RUN` means that no process performed the task. Never rejects. If the signal is
   * aborted, the other process stops. Its answer then has the results of the items that it evaluated before.
   */
  async run<One extends Work>(
    work: One,
    place: OfferPlace,
    { signal, definitions = [] }: RunSettings = {},
  ): Promise<RunAnswer<ResultOf<One>>> {
    if (signal?.aborted) return NOT_RUN;
    const ended = Promise.withResolvers<OfferAnswer | undefined>();
    const task = { id: this.#offers.newName(), kind: this.#kind, work, definitions, ...place };
    const offer: OpenOffer = { ...task, isTaken: false, seenAt: performance.now(), end: ended.resolve };
    this.#begin(offer);
    let late: NodeJS.Timeout | undefined;
    const stop = (): void => {
      late = setTimeout(() => offer.end(undefined), LATE_ANSWER_MS);
      void this.#stop(offer);
    };
    signal?.addEventListener('abort', stop, { once: true });
    let taking: NodeJS.Timeout | undefined;
    this.#offers.offer(task).then(
      (isOffered) => {
        if (isOffered) taking = setTimeout(() => void this.#withdraw(offer), TAKING_MS);
        else offer.end(undefined);
      },
      () => offer.end(undefined),
    );
    const answer = await ended.promise;
    signal?.removeEventListener('abort', stop);
    clearTimeout(late);
    clearTimeout(taking);
    this.#open.delete(offer.id);
    if (answer !== undefined && (signal?.aborted === true || !wasStopped(answer))) {
      this.#count('answered');
      // TypeScript cannot see that the type of the answer belongs to the kind of the work. All processes run the same code, so the type is
      // right.
      return answer as RunAnswer<ResultOf<One>>;
    }
    this.#count('returned');
    if (signal?.aborted !== true) this.#pausedUntil = performance.now() + PAUSE_MS;
    void this.#offers.forget(offer).catch(() => undefined);
    return NOT_RUN;
  }

  /** Ends all offers. Their tasks are answered as not run. */
  close(): void {
    for (const offer of this.#open.values()) offer.end(undefined);
    clearInterval(this.#looking);
    this.#stopListening();
  }

  #begin(offer: OpenOffer): void {
    this.#open.set(offer.id, offer);
    this.#looking ??= setInterval(() => void this.#pollStates(), LOOK_MS).unref();
  }

  async #onEvent({ id, event }: OfferNews): Promise<void> {
    const offer = this.#open.get(id);
    if (offer === undefined) return;
    if (event === 'taken') this.#taken(offer);
    else await this.#fetch(offer);
  }

  #taken(offer: OpenOffer): void {
    offer.isTaken = true;
    offer.seenAt = performance.now();
  }

  async #fetch(offer: OpenOffer): Promise<void> {
    const answer = await this.#offers.fetchAnswer(offer.id).catch(() => undefined);
    if (answer !== undefined) offer.end(answer);
  }

  /** Takes back a task that no process has taken in time. */
  async #withdraw(offer: OpenOffer): Promise<void> {
    if (offer.isTaken) return;
    try {
      if (await this.#offers.withdraw(offer)) offer.end(undefined);
      else this.#taken(offer);
    } catch {
      offer.end(undefined);
    }
  }

  async #stop(offer: OpenOffer): Promise<void> {
    await this.#withdraw(offer);
    // Tells the process that took the task to stop. That process then stores its partial result.
    await this.#offers.stop(offer.id).catch(() => undefined);
  }

  /** Asks about all offered tasks. Ends tasks whose process has given no sign of life for too long. */
  async #pollStates(): Promise<void> {
    const offers = [...this.#open.values()];
    if (offers.length === 0) {
      clearInterval(this.#looking);
      this.#looking = undefined;
      return;
    }
    const overdue = offers.filter(({ seenAt }) => performance.now() - seenAt > SILENCE_MS);
    for (const offer of overdue) offer.end(undefined);
    const states = await this.#offers.readStates(offers).catch((): readonly OfferState[] => []);
    for (const [i, offer] of offers.entries()) {
      const state = states[i];
      if (state === 'held') this.#taken(offer);
      if (state === 'answered') await this.#fetch(offer);
      if (state === 'lost' && offer.isTaken) offer.end(undefined);
    }
  }
}

/**
 * Engine of a process in a fleet. While its own threads are busy, it runs tasks on free threads of other processes. A task that no other
 * process performs runs on the own threads.
 */
export class FleetEngine implements Engine {
  readonly #own: Engine;
  readonly #seats: FleetSeats;
  readonly #flow: Flow;
  readonly #mayLeave: (work: Work) => boolean;
  #threads = 0;
  /** Number of tasks that run in this process. */
  #atHome = 0;

  /**
   * @param own engine of this process
   * @param flow queue of one client, to which all tasks belong
   * @param mayLeave returns false for work that must run in this process
   */
  constructor(own: Engine, seats: FleetSeats, flow: Flow, mayLeave: (work: Work) => boolean) {
    this.#own = own;
    this.#seats = seats;
    this.#flow = flow;
    this.#mayLeave = mayLeave;
  }

  /** Greatest number of threads that the engine has had so far. Other processes come and go, and budgets of time count with this number. */
  get threads(): number {
    this.#threads = Math.max(this.#threads, this.#own.threads + this.#seats.window);
    return this.#threads;
  }

  async run<One extends Work>(work: One, settings: RunSettings = {}): Promise<RunAnswer<ResultOf<One>>> {
    if (this.#atHome >= this.#own.threads && this.#seats.hasRoom && this.#mayLeave(work)) {
      const queueKey = queueKeyOf({ id: '', createdAt: steadyNow(), flow: this.#flow });
      const answer = await this.#seats.run(work, { queueKey, expectedMs: Infinity, holder: this.#flow }, settings);
      if (answer.kind !== 'cancelled' || settings.signal?.aborted === true) return answer;
    }
    this.#atHome += 1;
    try {
      return { ...(await this.#own.run(work, settings)), node: this.#seats.node };
    } finally {
      this.#atHome -= 1;
    }
  }
}
