import { Agent, request as overHttp } from 'node:http';
import { Agent as SecureAgent, request as overHttps } from 'node:https';
import { Worker } from 'node:worker_threads';
import { hrMilliseconds } from './hr-milliseconds.ts';
import { PATIENCE_MS, reasonOf, TIMED_OUT } from './load-request.ts';
import type { LoadAnswer, LoadRequest, LoadSubject } from './load-request.ts';
import type { Metronome } from './metronome-thread.ts';

/** The pace of an open load: requests start at a fixed rate, whether or not earlier ones were answered, as users do. */
export interface OpenPace {
  /** Requests a second. */
  readonly rate: number;
  readonly seconds: number;
  /** The most requests under way at once. A further one is dropped, and counted. */
  readonly maxInFlight?: number;
  /** Ends the load early. Answers to what was sent are waited for, but not long. */
  readonly signal?: AbortSignal;
}

/** The counts of an open load beside the outcomes of its requests. */
export interface OpenCounts {
  /** Time of the first request, on the clock of `hrMilliseconds`. */
  readonly startedAt: number;
  /** Requests that were due. */
  readonly due: number;
  /** Not sent, since too many were under way. */
  readonly dropped: number;
  /** Sent more than {@link LATE_MS} after they were due. */
  readonly late: number;
  /** Sent, and broken off since the load was ended early. */
  readonly unanswered: number;
}

/** A start so much after its time is late, ms. */
export const LATE_MS = 1;
const MOST_IN_FLIGHT = 256;
/** Before the clock starts, so many requests open connections and make this client's own code warm; fewer where they take longer than that, ms. */
const WARM_UP = { requests: 30, ms: 150 } as const;
/** From the metronome's start to its first tick: until then its thread is up, ms. */
const LEAD_MS = 60;
/** Requests that have no answer so long after the load was ended early are broken off, ms. */
const GRACE_MS = 2000;
const SOURCE = import.meta.url.endsWith('.ts');

/**
 * Posts requests at a fixed rate. Times answers from when their request was due, so that all that waits behind a stall counts (Tene, "How NOT to
 * Measure Latency").
 */
export async function openRequests<Request extends LoadRequest>(
  url: string,
  { rate, seconds, maxInFlight = MOST_IN_FLIGHT, signal }: OpenPace,
  { next, answered, broken }: LoadSubject<Request>,
): Promise<OpenCounts> {
  const poster = new Poster(url, maxInFlight);
  const counts = { due: 0, dropped: 0, late: 0, unanswered: 0 };
  const underWay = new Set<Promise<void>>();
  let isBrokenOff = false;

  const send = async (due: number): Promise<void> => {
    const request = next();
    const answer = await poster.post(request, due);
    if (typeof answer === 'object') answered(request, answer);
    else if (isBrokenOff) counts.unanswered += 1;
    else broken(answer);
  };

  const warmUntil = hrMilliseconds() + WARM_UP.ms;
  for (let i = 0; i < WARM_UP.requests && hrMilliseconds() < warmUntil; i++) await poster.post(next(), 0);
  const startedAt = hrMilliseconds() + LEAD_MS;
  await eachTick({ startsAt: startedAt, intervalMs: 1000 / rate, ticks: Math.max(1, Math.round(rate * seconds)) }, signal, (due) => {
    counts.due += 1;
    if (hrMilliseconds() - due > LATE_MS) counts.late += 1;
    if (underWay.size >= maxInFlight) {
      counts.dropped += 1;
      return;
    }
    const request = send(due).finally(() => underWay.delete(request));
    underWay.add(request);
  });
  const breakOff = (): void => {
    setTimeout(() => {
      isBrokenOff = true;
      poster.end();
    }, GRACE_MS).unref();
  };
  if (signal?.aborted === true) breakOff();
  else signal?.addEventListener('abort', breakOff, { once: true });
  await Promise.all(underWay);
  signal?.removeEventListener('abort', breakOff);
  poster.end();
  return { startedAt, ...counts };
}

/** Calls back at each tick with the time for which it was planned; a thread of its own keeps the time. */
async function eachTick(beat: Omit<Metronome, 'stopped'>, signal: AbortSignal | undefined, called: (due: number) => void): Promise<void> {
  const stopped = new Int32Array(new SharedArrayBuffer(4));
  const { startsAt, intervalMs } = beat;
  const workerData: Metronome = { ...beat, stopped };
  const thread = new Worker(new URL(`./metronome-thread${SOURCE ? '.ts' : '.js'}`, import.meta.url), { workerData });
  const stop = (): void => {
    Atomics.store(stopped, 0, 1);
    Atomics.notify(stopped, 0);
  };
  signal?.addEventListener('abort', stop, { once: true });
  thread.on('message', (tick: number) => called(startsAt + tick * intervalMs));
  try {
    if (signal?.aborted === true) stop();
    await new Promise<void>((resolve, reject) => {
      thread.once('error', reject);
      thread.once('exit', () => resolve());
    });
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

/** Posts to one address over connections that stay open. */
class Poster {
  readonly #url: string;
  readonly #agent: Agent | SecureAgent;

  constructor(url: string, maxSockets: number) {
    this.#url = url;
    this.#agent = this.#isSecure ? new SecureAgent({ keepAlive: true, maxSockets }) : new Agent({ keepAlive: true, maxSockets });
  }

  get #isSecure(): boolean {
    return this.#url.startsWith('https:');
  }

  /**
   * Resolves with the answer, or with the reason why there is none.
   *
   * @param due time from which the answer is timed, on the clock of `hrMilliseconds`
   */
  post({ body, headers }: LoadRequest, due: number): Promise<LoadAnswer | string> {
    return new Promise((resolve) => {
      const failed = (error: Error): void => resolve(reasonOf(error));
      const call = (this.#isSecure ? overHttps : overHttp)(this.#url, {
        agent: this.#agent,
        method: 'POST',
        headers: { ...headers, 'content-length': body.length },
        timeout: PATIENCE_MS,
      });
      call.once('error', failed);
      call.once('timeout', () => call.destroy(new Error(TIMED_OUT)));
      call.once('response', (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.once('error', failed);
        response.once('end', () => {
          const ms = hrMilliseconds() - due;
          const text = Buffer.concat(parts).toString();
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text, ms });
        });
      });
      call.end(body);
    });
  }

  /** Closes all connections; what is under way breaks. */
  end(): void {
    this.#agent.destroy();
  }
}
