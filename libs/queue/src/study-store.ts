/** Types of the parts of a stored study (search for expensive objects). The store does not interpret these parts. */
export interface StudyForms {
  /** Small part of a study, which is read when a process starts. */
  readonly record: unknown;
  /** Documents that are studied, a large part that is read only when work begins. */
  readonly order: unknown;
  /** End of a study, without the report. */
  readonly end: unknown;
  readonly report: unknown;
}

/** A stored study (search for expensive objects), without its order (the documents to study) and its report. Both may be large. */
export interface StoredStudy<Forms extends StudyForms> {
  readonly id: string;
  readonly record: Forms['record'];
  /** Number of times that a process began to work on the study (search for expensive objects). */
  readonly begun: number;
  /** End of the study; undefined while the study is not over. */
  readonly end: Forms['end'] | undefined;
}

/**
 * Port that stores studies (searches for expensive objects) across restarts. Each method throws if the storage cannot be written or read.
 */
export interface StudyStore<Forms extends StudyForms> {
  put(id: string, record: Forms['record'], order: Forms['order']): Promise<void>;
  /**
   * Increments the number of times that work on a study began. Returns the order of the study (the documents to study), or undefined if the
   * study is over or unknown.
   */
  begin(id: string): Promise<Forms['order'] | undefined>;
  /** Stores the end and the report of a study, and deletes its order (the documents to study). */
  finish(id: string, end: Forms['end'], report: Forms['report']): Promise<void>;
  /** Returns the report of a study that is over; undefined if there is none. */
  report(id: string): Promise<Forms['report'] | undefined>;
  forget(id: string): Promise<void>;
  /** Returns all stored studies, in no particular order. */
  list(): Promise<readonly StoredStudy<Forms>[]>;
  /** Adds `ms` to the thread time that a client used on `day`, such as `2027-01-31`. Drops the thread times of all other days. */
  charge(day: string, client: string, ms: number): Promise<void>;
  /** Returns the thread time in ms that a client used on a day. */
  charged(day: string, client: string): Promise<number>;
}
