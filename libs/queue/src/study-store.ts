/** Types of the parts of a stored study. Only the owner of the studies knows them. */
export interface StudyForms {
  /** The part that is small, and read at the start of a process. */
  readonly record: unknown;
  /** The documents that are studied. */
  readonly order: unknown;
  /** The end, without the report. */
  readonly end: unknown;
  readonly report: unknown;
}

/** A stored study, without its large parts. */
export interface StoredStudy<Forms extends StudyForms> {
  readonly id: string;
  readonly record: Forms['record'];
  /** Number of times that work on the study began. */
  readonly begun: number;
  /** End of the study; undefined while the study is not over. */
  readonly end: Forms['end'] | undefined;
}

/** Port that stores studies across restarts. Each method throws if the storage cannot be written or read. */
export interface StudyStore<Forms extends StudyForms> {
  put(id: string, record: Forms['record'], order: Forms['order']): Promise<void>;
  /**
   * Increments the number of times that work on a study began. Returns the order of the study, or undefined if the study is over or
   * unknown.
   */
  begin(id: string): Promise<Forms['order'] | undefined>;
  /** Stores the end and the report of a study, and drops its order. */
  finish(id: string, end: Forms['end'], report: Forms['report']): Promise<void>;
  /** Returns the report of a study that is over; undefined if there is none. */
  report(id: string): Promise<Forms['report'] | undefined>;
  forget(id: string): Promise<void>;
  /** Returns all studies that are there, in no order. */
  list(): Promise<readonly StoredStudy<Forms>[]>;
  /** Adds `ms` to the thread time that a client used on a day, such as `2027-01-31`. Drops the times of other days. */
  charge(day: string, client: string, ms: number): Promise<void>;
  /** Returns the thread time of a client on a day, ms. */
  charged(day: string, client: string): Promise<number>;
}
