/** A request of a load, sent by `POST`. The driver adds the headers about its length. */
export interface LoadRequest {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** The answer to a request. */
export interface LoadAnswer {
  readonly status: number;
  /** Headers of the answer, with lowercase names. */
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
  /**
   * Latency in ms. In an open load, it is measured from the time at which the request was due. In a closed load, it is measured from the
   * sending of the request.
   */
  readonly ms: number;
}

/** Source of a load's requests, with the callbacks for their outcomes. */
export interface LoadSubject<Request> {
  /** Returns the next request. */
  readonly next: () => Request;
  readonly answered: (request: Request, answer: LoadAnswer) => void;
  /** Called for a request without an answer. `reason` is a code such as `ECONNRESET`, or a message. */
  readonly broken: (reason: string) => void;
}

/** Client that sends the requests of an open load. */
export interface LoadSender<Request> {
  /**
   * Sends a request. Resolves with the answer, or with the reason why there is no answer.
   *
   * @param due time from which the latency is measured, in ms of the clock `hrMilliseconds`
   */
  readonly send: (request: Request, due: number) => Promise<LoadAnswer | string>;
  /** Closes all connections and aborts open requests. */
  readonly end: () => void;
}

/** Time in ms after which a request without an answer is aborted. */
export const PATIENCE_MS = 120_000;

/** Reason that is reported for a request that was aborted because it had no answer in time. The text is the same as autocannon's. */
export const TIMED_OUT = 'request timed out';

/** Returns the reason why a connection broke: the error's code, or else its message. */
export const reasonOf = (error: Error): string => ('code' in error && typeof error.code === 'string' ? error.code : error.message);
