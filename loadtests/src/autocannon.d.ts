/** The part of autocannon 9 that the experiments use; the package ships no types. */
declare module 'autocannon' {
  interface Options {
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
    /** How often it looks whether it is over, ms. */
    sampleInt?: number;
    /** Whether an answer is the expected one; others are counted as mismatches. */
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
    stop(): void;
  }
  export default function autocannon(options: Options): Load;
}
