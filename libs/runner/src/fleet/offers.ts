import type { DefinitionText } from '#documents';
import type { RunAnswer } from '../engine.ts';
import type { Flow, QueueKey } from '../flow/index.ts';
import type { ResultOf, Work } from '../protocol.ts';

/**
 * Kinds of tasks that processes offer to each other. `runs`: stretches of consecutive items of a batch, which wait in the fair queue of the
 * process that performs them. `cells`: parts of studies, which run in the background.
 */
export const OFFER_KINDS = ['runs', 'cells'] as const;

/** Kind of a task that a process offers to other processes, see {@link OFFER_KINDS}. */
export type OfferKind = (typeof OFFER_KINDS)[number];

/** Task that a process offers to other processes. */
export interface OfferedTask {
  /** Name of the task, which no other task has. */
  readonly id: string;
  readonly kind: OfferKind;
  readonly work: Work;
  /** Position in the fair queue, at which the task waits in the process that performs it. */
  readonly queueKey: QueueKey;
  /** Expected time on a thread in ms. */
  readonly expectedMs: number;
  /** Texts to which the work refers by digest. */
  readonly definitions: readonly DefinitionText[];
}

/** Task that this process offers, and the flow whose share of the storage holds the texts of the task. */
export interface NewOffer extends OfferedTask {
  /** Flow that is charged for stored texts; undefined if the texts are already stored. */
  readonly holder: Flow | undefined;
}

/** Answer of a process to a task that it took. */
export type OfferAnswer = RunAnswer<ResultOf<Work>>;

/** Offers of one process for one kind of tasks. */
export interface OfferSource {
  readonly kind: OfferKind;
  /** Name of the process that offers the tasks. */
  readonly origin: string;
}

/** News about a task that this process offered: another process took it, or stored its answer. */
export interface OfferNews {
  readonly id: string;
  readonly event: 'taken' | 'answered';
}

/**
 * State of an offered task in the storage. `waiting`: no process has taken it. `held`: a process that took it has given a sign of life.
 * `answered`: its answer is stored. `lost`: none of these is true.
 */
export type OfferState = 'waiting' | 'held' | 'answered' | 'lost';

/**
 * Storage through which the processes of a fleet offer tasks to each other. All methods reject if the storage does not answer. News may be
 * lost, so their receivers also look at intervals.
 */
export interface Offers {
  /** Name of this process in reports and traces. */
  readonly node: string;
  /** Returns a new name for a task that this process offers. */
  newName(): string;
  /** Returns the number of engine threads of other processes that are free for tasks of a kind, as last reported. */
  seats(kind: OfferKind): number;
  /** Asks the storage for the current number of seats. */
  refresh(): Promise<void>;
  /** Offers a task to all other processes. Returns false if the storage refuses the task. */
  offer(task: NewOffer): Promise<boolean>;
  /** Takes back an offered task. Returns false if another process has taken it. */
  withdraw(task: Pick<OfferedTask, 'id' | 'kind'>): Promise<boolean>;
  /** Reports that this process waits for its offered tasks, and returns the state of each of these tasks. */
  readStates(tasks: readonly Pick<OfferedTask, 'id' | 'kind'>[]): Promise<readonly OfferState[]>;
  /** Returns the answer to an offered task, and deletes it from the storage. Returns undefined if there is no answer. */
  fetchAnswer(id: string): Promise<OfferAnswer | undefined>;
  /** Stops the process that took a task. The process then stores an answer with the results that it has. */
  stop(id: string): Promise<void>;
  /** Deletes an offered task, and stops it if another process performs it. */
  forget(task: Pick<OfferedTask, 'id' | 'kind'>): Promise<void>;
  /** Takes up to `most` tasks of another process. Each task is taken once. */
  take(source: OfferSource, most: number): Promise<readonly OfferedTask[]>;
  /**
   * Gives a sign of life for taken tasks. Returns false for each task that must be stopped, because the process that offered it has ended
   * or does not wait for it any more.
   */
  keep(ids: readonly string[]): Promise<readonly boolean[]>;
  /** Stores the answer to a taken task. */
  answer(id: string, answer: OfferAnswer): Promise<void>;
  /** Calls `listener` when another process offers tasks. Returns a function that removes the listener. */
  onOffered(listener: (source: OfferSource) => void): () => void;
  /** Calls `listener` with news about tasks that this process offered. Returns a function that removes the listener. */
  onNews(listener: (news: OfferNews) => void): () => void;
  /** Calls `listener` with the id of each taken task that must be stopped. Returns a function that removes the listener. */
  onStopped(listener: (id: string) => void): () => void;
}

/** Limits of the tasks that one engine thread of another process has at a time. */
interface SeatLimits {
  /** Number of tasks that a seat always has, so that it need not wait for the next one. */
  readonly tasks: number;
  /** Total expected time in ms of the tasks of a seat, up to which it gets more tasks. Short tasks end faster than new ones arrive. */
  readonly ms: number;
  /** Maximum number of tasks, however short they are. */
  readonly most: number;
}

/** Limits of the tasks of an engine thread by kind. Cells take seconds, so none waits behind another. */
const SEAT_LIMITS: Readonly<Record<OfferKind, SeatLimits>> = {
  runs: { tasks: 2, ms: 60, most: 8 },
  cells: { tasks: 1, ms: 0, most: 1 },
};

/** Returns the maximum number of tasks that `seats` engine threads have at a time. */
export const maxTasks = (kind: OfferKind, seats: number): number => SEAT_LIMITS[kind].most * seats;

/** Returns true if `seats` engine threads that have these tasks can have another one. */
export function hasRoom(kind: OfferKind, seats: number, tasks: readonly Pick<OfferedTask, 'expectedMs'>[]): boolean {
  const limits = SEAT_LIMITS[kind];
  if (tasks.length < limits.tasks * seats) return true;
  if (tasks.length >= limits.most * seats) return false;
  return tasks.reduce((sum, { expectedMs }) => sum + expectedMs, 0) < limits.ms * seats;
}
