/** A request of a load, sent by `POST`. The driver adds the headers about its length. */
export interface LoadRequest {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** The answer to a request. */
export interface LoadAnswer {
  readonly status: number;
  /** Headers, their names in small letters. */
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
  /** An open load takes it from the time at which the request was due, a closed one from sending. */
  readonly ms: number;
}

/** The requests of a load, and who hears what becomes of them. */
export interface LoadSubject<Request extends LoadRequest> {
  /** Returns the next request. */
  readonly next: () => Request;
  readonly answered: (request: Request, answer: LoadAnswer) => void;
  /** Hears of a request without an answer, and why: a code such as `ECONNRESET`, or words. */
  readonly broken: (reason: string) => void;
}

/** A request that has no answer after so long is broken off, ms. */
export const PATIENCE_MS = 120_000;

/** The words for a request that was broken off since it had no answer; they are autocannon's. */
export const TIMED_OUT = 'request timed out';

/** Returns the reason why a connection broke: its code if it has one. */
export const reasonOf = (error: Error): string => ('code' in error && typeof error.code === 'string' ? error.code : error.message);
