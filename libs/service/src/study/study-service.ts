import type { StudyReport } from '#benchmark';
import type { Outcome } from '../outcome.ts';
import type { StudyClient } from './studies.ts';
import type { StudyPhase, StudyState } from './study-life.ts';
import type { StudyOrder } from './study-order.ts';

/** Studies as clients order and watch them. */
export abstract class StudyService {
  /** Begins to perform studies, those of earlier processes first. */
  abstract open(): Promise<void>;
  /** Accepts an order; or returns the 429 if there is no room or time for it. */
  abstract submit(order: StudyOrder, client: StudyClient): Promise<Outcome<StudyState>>;
  /** Returns the studies whose owner's studies may be read, newest first, at most so many. */
  abstract list(most: number, mayRead: (owner: string | undefined) => boolean): Promise<readonly StudyState[]>;
  /** Returns a study if its owner's studies may be read. All others are unknown. */
  abstract find(id: string, mayRead: (owner: string | undefined) => boolean): Promise<StudyState | undefined>;
  /** Returns the report of a study: of all that is known by now while it is not over. Undefined if it is unknown. */
  abstract report(id: string): Promise<StudyReport | undefined>;
  /** Resolves at the next change of a study, or when the signal is raised; it may resolve without a change. */
  abstract changed(id: string, signal: AbortSignal): Promise<void>;
  /** Stops a study, and resolves when no work of it runs. If the study is over, it is forgotten. */
  abstract remove(id: string): Promise<void>;
  /** Studies of this process, by state. */
  abstract readonly counts: Readonly<Record<StudyPhase, number>>;
  /** Stops all studies of this process, which others, or the next one, take up. Resolves when no work of them runs. */
  abstract close(): Promise<void>;
}
