import type { StoredStudy, StudyForms, StudyStore } from './study-store.ts';

/** The store of studies that several processes share. */
export interface SharedStudyStore<Forms extends StudyForms> extends StudyStore<Forms> {
  find(id: string): Promise<StoredStudy<Forms> | undefined>;
  /** Stores the latest news of a running study and wakes its waiting readers. Returns false if the study is over. */
  publish(id: string, news: unknown): Promise<boolean>;
  /** Returns the latest news; undefined if there are none. */
  news(id: string): Promise<unknown>;
}

/** Cell of a study that is sent from one process to another. */
export interface SharedCell {
  /** The study whose cell it is. */
  readonly study: string;
  /** Name of the cell, unique within its study. */
  readonly cell: string;
  /** The work of the cell, as plain data. */
  readonly work: unknown;
}

/** The answer of a process to a cell, as plain data, and the name of the process. */
export interface CellAnswer {
  readonly node: string;
  readonly answer: unknown;
}

/** The end of a turn of a study: `again` if another turn is to follow. */
export type TurnEnd = 'over' | 'again';

/** The work that a process does for the studies of all processes. */
export interface StudyTurns {
  /** Studies that the process performs at a time. */
  readonly studies: number;
  /** Maximum number of cells that the process performs at the same time. */
  readonly cells: number;
  /** Performs a study. `signal` is aborted if the study is cancelled. */
  readonly performStudy: (id: string, signal: AbortSignal) => Promise<TurnEnd>;
  /** Performs a cell. `signal` is aborted if the study of the cell is stopped. */
  readonly performCell: (work: unknown, signal: AbortSignal) => Promise<unknown>;
}

/** The port over which processes share studies. */
export interface StudyFleet<Forms extends StudyForms> {
  readonly store: SharedStudyStore<Forms>;
  /** The name of this process. */
  readonly node: string;
  /** Offers a stored study to all processes. One study of a flow runs at a time. */
  offer(id: string, flow: string): Promise<void>;
  /**
   * Starts to perform offered studies and cells. Returns a function that stops this; its promise resolves when no turn runs in this process
   * any more.
   */
  serve(turns: StudyTurns): () => Promise<void>;
  /** Returns the number of other processes that perform work, as last reported by their heartbeats. */
  others(): Promise<number>;
  /** Sends a cell to any process. Undefined if `signal` was raised first, or if no process could perform it. */
  perform(cell: SharedCell, signal: AbortSignal): Promise<CellAnswer | undefined>;
  /** Stops a study in all processes. */
  cancel(id: string): Promise<void>;
  /** Resolves at the next news of a study, or after a short time without news. */
  changed(id: string, signal: AbortSignal): Promise<void>;
}
