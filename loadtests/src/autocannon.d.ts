/** The part of autocannon 9 that the experiments use; the package ships no types. */
declare module 'autocannon' {
  /** A request that is made anew each time it is sent. */
  interface PlainRequest {
    headers?: Record<string, string>;
    body?: string | Buffer;
  }
  export interface RepeatedRequest<Context> {
    /** The context is a new object for each request. */
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
    /** Seconds. */
    duration?: number;
    /** Requests in all, instead of a duration. */
    amount?: number;
    /** Seconds. */
    timeout?: number;
    /** The interval at which it looks whether it is over, ms. */
    sampleInt?: number;
    /** Returns true for the expected answer. Others count as mismatches. */
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
  /** A load that runs: the promise of its result. */
  interface Load extends PromiseLike<Result> {
    on(event: 'response', heard: (client: unknown, statusCode: number, bytes: number, responseMs: number) => void): void;
    on(event: 'reqError', heard: (error: Error) => void): void;
    stop(): void;
  }
  export default function autocannon<Context>(options: Options<Context>): Load;
}
