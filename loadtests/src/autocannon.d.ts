/** Part of autocannon 9 that the experiments use. The autocannon package contains no types. */
declare module 'autocannon' {
  /** Request as `setupRequest` receives it, before it is sent. */
  interface PlainRequest {
    headers?: Record<string, string>;
    body?: string | Buffer;
  }
  export interface RepeatedRequest<Context> {
    /** Creates the request anew each time it is sent. `context` is a new object for each request. */
    setupRequest: (plain: PlainRequest, context: Context) => PlainRequest;
    onResponse: (status: number, text: string, context: Context, headers: Readonly<Record<string, unknown>>) => void;
  }
  interface Options<Context = object> {
    requests?: RepeatedRequest<Context>[];
    url: string;
    method?: 'GET' | 'POST';
    headers?: Record<string, string>;
    body?: string | Buffer;
    connections?: number;
    /** Duration of the load in seconds. */
    duration?: number;
    /** Total number of requests, as an alternative to `duration`. */
    amount?: number;
    /** Timeout of a request in seconds. */
    timeout?: number;
    /** Interval in ms at which autocannon checks whether the load has ended. */
    sampleInt?: number;
    /** Returns true if the body is the expected answer. Other answers count as mismatches. */
    verifyBody?: (body: Buffer | string) => boolean;
  }
  interface Result {
    requests: { total: number; average: number };
    latency: { p50: number; p99: number; max: number };
    non2xx: number;
    errors: number;
    timeouts: number;
    mismatches: number;
  }
  /** Running load, as a promise of its result. */
  interface Load extends PromiseLike<Result> {
    on(event: 'response', heard: (client: unknown, statusCode: number, bytes: number, responseMs: number) => void): void;
    on(event: 'reqError', heard: (error: Error) => void): void;
    stop(): void;
  }
  export default function autocannon<Context>(options: Options<Context>): Load;
}
