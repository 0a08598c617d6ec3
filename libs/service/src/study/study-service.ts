import type { StudyReport } from '#benchmark';
import type { Outcome } from '../outcome.ts';
import type { StudyClient } from './studies.ts';
import type { StudyPhase, StudyState } from './study-life.ts';
import type { StudyOrder } from './study-order.ts';

/** Service with which clients submit and watch studies. */
export abstract class StudyService {
  /** Begins to perform studies. Studies that earlier processes stored come first. */
  abstract open(): Promise<void>;
  /** Accepts an order and returns the new study's state. Returns a 429 if there is no room or no time for the study. */
  abstract submit(order: StudyOrder, client: StudyClient): Promise<Outcome<StudyState>>;
  /** Returns at most `most` studies, newest first. Only studies whose owner passes `mayRead` are returned. */
  abstract list(most: number, mayRead: (owner: string | undefined) => boolean): Promise<readonly StudyState[]>;
  /** Returns a study if its owner passes `mayRead`; undefined for any other study and if the id is unknown. */
  abstract find(id: string, mayRead: (owner: string | undefined) => boolean): Promise<StudyState | undefined>;
  /**
   * Returns the report of a study; undefined if the study is unknown. For a study that has not ended, the report contains everything known
   * so far.
   */
  abstract report(id: string): Promise<StudyReport | undefined>;
  /** Resolves at the next change of a study, or when `signal` is aborted. It may also resolve without a change. */
  abstract changed(id: string, signal: AbortSignal): Promise<void>;
  /** Stops a study and resolves when no work of the study runs. Deletes the study if it has already ended. */
  abstract remove(id: string): Promise<void>;
  /** Number of studies of this process, by phase. */
  abstract readonly counts: Readonly<Record<StudyPhase, number>>;
  /**
   * Stops all studies of this process and resolves when none of their work runs. Other processes, or the next process, continue with these
   * studies.
   */
  abstract close(): Promise<void>;
}
