import { Worker } from 'node:worker_threads';
import { hrMilliseconds } from './hr-milliseconds.ts';
import type { LoadSender, LoadSubject } from './load-request.ts';
import type { Metronome } from './metronome-thread.ts';

/** Pace of an open load: requests start at a fixed rate, even if earlier ones are unanswered, as requests of independent users do. */
export interface OpenPace {
  /** Number of requests that are started per second. */
  readonly rate: number;
  readonly seconds: number;
  /**
   * Highest number of unanswered requests. While this number is reached, requests that become due are not sent, and are counted as dropped.
   */
  readonly maxInFlight?: number;
  /** False if no requests are sent to open connections before the measurement. Default: true. */
  readonly isWarmedUp?: boolean;
  /** Signal that ends the load early. Answers to requests that were already sent are awaited for a short time. */
  readonly signal?: AbortSignal;
}

/** Counts of an open load in addition to the outcomes of its requests. */
export interface OpenCounts {
  /** Time of the first request, on the clock of `hrMilliseconds`. */
  readonly startedAt: number;
  /** Number of requests that were due to be sent, according to the rate. */
  readonly due: number;
  /** Number of requests that were not sent because too many were unanswered. */
  readonly dropped: number;
  /** Number of requests that started more than {@link LATE_MS} after they were due. */
  readonly late: number;
  /** Number of requests that were sent and then aborted because the load was ended early. */
  readonly unanswered: number;
}

/** Delay in ms above which the start of a request counts as late. */
export const LATE_MS = 1;
const MAX_IN_FLIGHT = 256;
/**
 * Number of requests that open connections and warm up the client before the measurement (`requests`), and the longest time for all these
 * requests (`ms`).
 */
const WARM_UP = { requests: 30, ms: 150 } as const;
/** Time in ms from the start of the metronome to its first tick. The metronome's thread needs this time to start. */
const LEAD_MS = 60;
/** Longest wait in ms for answers after an early end of the load. Requests that have no answer after this time are aborted. */
const GRACE_MS = 2000;
const SOURCE = import.meta.url.endsWith('.ts');

/**
 * Sends requests at a fixed rate. Latencies begin when a request was due, so the time for which a stall delays its start counts (Tene, "How
 * NOT to Measure Latency"). The `sender` is ended with the load.
 */
export async function openRequests<Request>(
  sender: LoadSender<Request>,
  { rate, seconds, maxInFlight = MAX_IN_FLIGHT, isWarmedUp = true, signal }: OpenPace,
  { next, answered, broken }: LoadSubject<Request>,
): Promise<OpenCounts> {
  const counts = { due: 0, dropped: 0, late: 0, unanswered: 0 };
  const underWay = new Set<Promise<void>>();
  let isBrokenOff = false;

  const send = async (due: number): Promise<void> => {
    const request = next();
    const answer = await sender.send(request, due);
    if (typeof answer === 'object') answered(request, answer);
    else if (isBrokenOff) counts.unanswered += 1;
    else broken(answer);
  };

  if (isWarmedUp) await warmUp(sender, next);
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
      sender.end();
    }, GRACE_MS).unref();
  };
  if (signal?.aborted === true) breakOff();
  else signal?.addEventListener('abort', breakOff, { once: true });
  await Promise.all(underWay);
  signal?.removeEventListener('abort', breakOff);
  sender.end();
  return { startedAt, ...counts };
}

/** Sends some requests, whose answers do not count. */
async function warmUp<Request>(sender: LoadSender<Request>, next: () => Request): Promise<void> {
  const until = hrMilliseconds() + WARM_UP.ms;
  for (let i = 0; i < WARM_UP.requests && hrMilliseconds() < until; i++) await sender.send(next(), 0);
}

/** Calls `called` at each tick with the planned time of the tick. A separate thread keeps the time. */
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
