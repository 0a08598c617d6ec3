import type { StoredStudy, StudyForms, StudyStore } from './study-store.ts';

/**
 * Store of studies (searches for expensive objects) that several processes share, with the latest news (state and partial report) of each
 * running study.
 */
export interface SharedStudyStore<Forms extends StudyForms> extends StudyStore<Forms> {
  find(id: string): Promise<StoredStudy<Forms> | undefined>;
  /**
   * Stores the latest news (state and partial report) of a running study and wakes the readers that wait for news. Returns false if the
   * study is over.
   */
  publish(id: string, news: unknown): Promise<boolean>;
  /** Returns the latest news (state and partial report) of a study; undefined if there are none. */
  news(id: string): Promise<unknown>;
}

/** Cell (unit of work) of a study, in the form in which one process sends it to another. */
export interface SharedCell {
  /** Id of the study to which the cell belongs. */
  readonly study: string;
  /** Name of the cell, unique within its study. */
  readonly cell: string;
  /** Description of the cell's work, as plain data. */
  readonly work: unknown;
}

/** Answer of a process that performed a cell (unit of work) of a study, as plain data, and the name of this process. */
export interface CellAnswer {
  readonly node: string;
  readonly answer: unknown;
}

/**
 * Reason why a process stops its turn of work on a study. `over`: the study is over. `again`: another turn must follow, for example because
 * the process stops or the client's queue is busy.
 */
export type TurnEnd = 'over' | 'again';

/**
 * Functions with which a process takes part in the studies (searches for expensive objects) of the whole fleet. One function works on a
 * study, and the other on a cell (unit of work of a study). Two numbers limit how much runs at the same time.
 */
export interface StudyTurns {
  /** Maximum number of studies (searches for expensive objects) that the process performs at the same time. */
  readonly studies: number;
  /** Maximum number of cells (units of work of studies) that the process performs at the same time. */
  readonly cells: number;
  /**
   * Performs one turn, in which this process works on a study. Returns whether another turn must follow. `signal` is aborted if the study
   * is cancelled.
   */
  readonly performStudy: (id: string, signal: AbortSignal) => Promise<TurnEnd>;
  /** Performs a cell (unit of work of a study) and returns its answer. `signal` is aborted if the study of the cell is stopped. */
  readonly performCell: (work: unknown, signal: AbortSignal) => Promise<unknown>;
}

/** Port through which processes share the work of studies (searches for expensive objects). */
export interface StudyFleet<Forms extends StudyForms> {
  readonly store: SharedStudyStore<Forms>;
  /** Name of this process among the processes that share studies. */
  readonly node: string;
  /** Offers a stored study (search for expensive objects) to all processes. At most one study of each flow (client) runs at a time. */
  offer(id: string, flow: string): Promise<void>;
  /**
   * Starts to perform offered studies and cells (units of work of studies). Returns a function that stops this work. The function's promise
   * resolves when this process performs no more turns.
   */
  serve(turns: StudyTurns): () => Promise<void>;
  /** Returns the number of other processes that perform studies and cells, as last reported by their heartbeats. */
  others(): Promise<number>;
  /**
   * Sends a cell (unit of work of a study) to any process and returns the answer. Returns undefined if `signal` is aborted before the
   * answer, or if no process could perform the cell.
   */
  perform(cell: SharedCell, signal: AbortSignal): Promise<CellAnswer | undefined>;
  /** Stops a study (search for expensive objects) in all processes. */
  cancel(id: string): Promise<void>;
  /**
   * Resolves when new news (state and partial report) of a study is published, after a short time without news, or when `signal` is
   * aborted.
   */
  changed(id: string, signal: AbortSignal): Promise<void>;
}
