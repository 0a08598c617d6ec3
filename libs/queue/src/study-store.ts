/** The forms of the parts of a stored study, which its owner alone knows. */
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
  /** Times that work on it began. */
  readonly begun: number;
  /** Undefined while it is not over. */
  readonly end: Forms['end'] | undefined;
}

/** The port that keeps studies over a restart. Each method throws if the storage takes or gives nothing. */
export interface StudyStore<Forms extends StudyForms> {
  put(id: string, record: Forms['record'], order: Forms['order']): Promise<void>;
  /** Counts that work on a study begins. Returns its order; undefined if the study is over or unknown. */
  begin(id: string): Promise<Forms['order'] | undefined>;
  /** Keeps end and report, and drops the order. */
  finish(id: string, end: Forms['end'], report: Forms['report']): Promise<void>;
  /** Returns the report of a study that is over; undefined if there is none. */
  report(id: string): Promise<Forms['report'] | undefined>;
  forget(id: string): Promise<void>;
  /** Returns all studies that are there, in no order. */
  list(): Promise<readonly StoredStudy<Forms>[]>;
  /** Adds thread time, ms, to that of a client on a day, such as `2027-01-31`. Drops other days. */
  charge(day: string, client: string, ms: number): Promise<void>;
  /** Returns the thread time of a client on a day, ms. */
  charged(day: string, client: string): Promise<number>;
}
