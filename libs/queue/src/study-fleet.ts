import type { StoredStudy, StudyForms, StudyStore } from './study-store.ts';

/** Store of studies that several processes share, with the latest news of each running study. */
export interface SharedStudyStore<Forms extends StudyForms> extends StudyStore<Forms> {
  find(id: string): Promise<StoredStudy<Forms> | undefined>;
  /** Stores the latest news of a running study and wakes the readers that wait for news. Returns false if the study is over. */
  publish(id: string, news: unknown): Promise<boolean>;
  /** Returns the latest news of a study; undefined if there are none. */
  news(id: string): Promise<unknown>;
}

/** Cell of a study that is sent from one process to another. */
export interface SharedCell {
  /** Id of the study to which the cell belongs. */
  readonly study: string;
  /** Name of the cell, unique within its study. */
  readonly cell: string;
  /** Description of the cell's work, as plain data. */
  readonly work: unknown;
}

/** Answer of a process to a cell, as plain data, and the name of this process. */
export interface CellAnswer {
  readonly node: string;
  readonly answer: unknown;
}

/** End of one turn of work on a study. `over`: the study is over. `again`: another turn must follow. */
export type TurnEnd = 'over' | 'again';

/** Functions with which a process performs studies and cells of all processes, and the maximum number of each. */
export interface StudyTurns {
  /** Maximum number of studies that the process performs at the same time. */
  readonly studies: number;
  /** Maximum number of cells that the process performs at the same time. */
  readonly cells: number;
  /** Performs one turn of a study. `signal` is aborted if the study is cancelled. */
  readonly performStudy: (id: string, signal: AbortSignal) => Promise<TurnEnd>;
  /** Performs a cell and returns its answer. `signal` is aborted if the study of the cell is stopped. */
  readonly performCell: (work: unknown, signal: AbortSignal) => Promise<unknown>;
}

/** Port through which processes share the work of studies. */
export interface StudyFleet<Forms extends StudyForms> {
  readonly store: SharedStudyStore<Forms>;
  /** Name of this process among the processes that share studies. */
  readonly node: string;
  /** Offers a stored study to all processes. At most one study of each flow runs at a time. */
  offer(id: string, flow: string): Promise<void>;
  /**
   * Starts to perform offered studies and cells. Returns a function that stops this work. The function's promise resolves when this process
   * performs no more turns.
   */
  serve(turns: StudyTurns): () => Promise<void>;
  /** Returns the number of other processes that perform studies and cells, as last reported by their heartbeats. */
  others(): Promise<number>;
  /**
   * Sends a cell to any process and returns the answer. Returns undefined if `signal` is aborted before the answer, or if no process could
   * perform the cell.
   */
  perform(cell: SharedCell, signal: AbortSignal): Promise<CellAnswer | undefined>;
  /** Stops a study in all processes. */
  cancel(id: string): Promise<void>;
  /** Resolves at the next news of a study, or after a short time without news. */
  changed(id: string, signal: AbortSignal): Promise<void>;
}
