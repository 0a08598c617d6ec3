import type { StudyReport } from '#benchmark';
import type { Outcome } from '../outcome.ts';
import type { StudyClient } from './studies.ts';
import type { StudyPhase, StudyState } from './study-life.ts';
import type { StudyOrder } from './study-order.ts';

/** Service to which clients submit studies (benchmarks) of rules, and from which they read states and reports. */
export abstract class StudyService {
  /** Starts to perform studies. Studies that earlier processes stored are performed first. */
  abstract open(): Promise<void>;
  /**
   * Accepts an order and returns the new study's state. Returns a refusal with status 429 if the study exceeds a limit or the client's
   * thread time.
   */
  abstract submit(order: StudyOrder, client: StudyClient): Promise<Outcome<StudyState>>;
  /** Returns at most `most` studies, newest first. `mayRead` must return true for the owner of each study. */
  abstract list(most: number, mayRead: (owner: string | undefined) => boolean): Promise<readonly StudyState[]>;
  /** Returns a study if `mayRead` returns true for its owner. Returns undefined otherwise, and if the study is unknown. */
  abstract find(id: string, mayRead: (owner: string | undefined) => boolean): Promise<StudyState | undefined>;
  /**
   * Returns the report of a study; undefined if the study is unknown. For a study that has not ended, the report contains the findings so
   * far.
   */
  abstract report(id: string): Promise<StudyReport | undefined>;
  /** Resolves at the next change of a study, or when `signal` is aborted. It may also resolve without a change. */
  abstract changed(id: string, signal: AbortSignal): Promise<void>;
  /** Stops a study, and resolves when none of its work runs any more. Deletes the study if it has already ended. */
  abstract remove(id: string): Promise<void>;
  /** Number of studies of this process, by phase. */
  abstract readonly counts: Readonly<Record<StudyPhase, number>>;
  /**
   * Stops all studies of this process, and resolves when none of their work runs any more. Other processes, or the next process, perform
   * these studies again.
   */
  abstract close(): Promise<void>;
}
