import { Agent, request } from 'node:http';
import { Worker } from 'node:worker_threads';
import { latencySummary } from '../measure/latencies.ts';
import type { LatencySummary } from '../measure/latencies.ts';
import { hrMilliseconds } from './hr-milliseconds.ts';
import type { Metronome } from './metronome-thread.ts';

/** An open load: requests start at a fixed rate, whether or not earlier ones were answered, as users do. */
export interface OpenLoadOptions {
  readonly url: string;
  readonly body: string | Buffer;
  /** Requests a second. */
  readonly rate: number;
  readonly seconds: number;
  /** Requests that may be under way at once; one that would be more is dropped, and counted. */
  readonly maxInFlight?: number;
  /** Whether the text of a 2xx answer is the one expected. */
  readonly expected?: (answer: string) => boolean;
  /** Ends the load early; what was sent is waited for. */
  readonly signal?: AbortSignal;
  /** Share of late starts above which no latencies are told. */
  readonly lateShare?: number;
}

/** Why latencies are not told. */
export interface NoLatencies {
  readonly refused: string;
}

/** What an open load saw. */
export interface OpenLoad {
  /** As asked for, a second. */
  readonly rate: number;
  /** Requests that were due. */
  readonly due: number;
  /** Not sent, since too many were under way. */
  readonly dropped: number;
  /** Sent more than {@link LATE_MS} after they were due. */
  readonly late: number;
  /** Answered with a 2xx and the expected text. */
  readonly answered: number;
  /** Answered with 429: the service would not take more of this client. */
  readonly throttled: number;
  /** Answered with neither a 2xx nor a 429. */
  readonly non2xx: number;
  /** Answered with a 2xx and something else. */
  readonly unexpected: number;
  /** Broken connections. */
  readonly errors: number;
  /** Of what was answered, from when the request was due; or why they are not told. */
  readonly latencies: LatencySummary | NoLatencies;
}

/** A start so much after its time is late, ms. */
const LATE_MS = 1;
/** Above this share of late starts the client was too busy, and its latencies are of itself. */
const LATE_SHARE = 0.01;
const MOST_IN_FLIGHT = 256;
/** Before the clock starts, so many requests open connections and make this client's own code warm; fewer where they take longer than that, ms. */
const WARM_UP = { requests: 30, ms: 150 } as const;
/** From the metronome's start to its first tick: until then its thread is up, ms. */
const LEAD_MS = 60;
const SOURCE = import.meta.url.endsWith('.ts');

/**
 * Posts a body at a fixed rate and times answers from when their request was due (not from when it was sent), so that what waits behind a
 * stall counts (Tene, "How NOT to Measure Latency").
 */
export async function openLoad({
  url,
  body,
  rate,
  seconds,
  maxInFlight = MOST_IN_FLIGHT,
  expected = () => true,
  signal,
  lateShare = LATE_SHARE,
}: OpenLoadOptions): Promise<OpenLoad> {
  const agent = new Agent({ keepAlive: true, maxSockets: maxInFlight });
  const latencies: number[] = [];
  const counts = { due: 0, dropped: 0, late: 0, answered: 0, throttled: 0, non2xx: 0, unexpected: 0, errors: 0 };
  const bytes = Buffer.from(body);
  const underWay = new Set<Promise<void>>();

  const send = async (due: number): Promise<void> => {
    const { status, text } = await post(url, agent, bytes);
    const ms = hrMilliseconds() - due;
    if (status === 'error') counts.errors += 1;
    else if (status === 429) counts.throttled += 1;
    else if (status < 200 || status > 299) counts.non2xx += 1;
    else if (!expected(text)) counts.unexpected += 1;
    else {
      counts.answered += 1;
      latencies.push(ms);
    }
  };

  const warmUntil = hrMilliseconds() + WARM_UP.ms;
  for (let i = 0; i < WARM_UP.requests && hrMilliseconds() < warmUntil; i++) await post(url, agent, bytes);
  await eachTick(rate, Math.max(1, Math.round(rate * seconds)), signal, (due) => {
    counts.due += 1;
    if (hrMilliseconds() - due > LATE_MS) counts.late += 1;
    if (underWay.size >= maxInFlight) {
      counts.dropped += 1;
      return;
    }
    const sent = send(due).finally(() => underWay.delete(sent));
    underWay.add(sent);
  });
  await Promise.all(underWay);
  agent.destroy();
  const refused = refusal(counts, lateShare);
  return { rate, ...counts, latencies: refused === undefined ? latencySummary(latencies) : { refused } };
}

/** Why latencies would not be what users see. */
function refusal({ due, late, dropped }: Pick<OpenLoad, 'due' | 'late' | 'dropped'>, lateShare: number): string | undefined {
  if (dropped > 0) return `the service does not keep up: ${dropped} of ${due} requests were not sent, since too many were under way`;
  if (late > lateShare * due) return `the client was too busy to be believed: ${late} of ${due} requests started over ${LATE_MS} ms late`;
  return undefined;
}

/** Calls back at each tick with the time for which it was planned; a thread of its own keeps the time. */
async function eachTick(rate: number, ticks: number, signal: AbortSignal | undefined, called: (due: number) => void): Promise<void> {
  const stopped = new Int32Array(new SharedArrayBuffer(4));
  const startsAt = hrMilliseconds() + LEAD_MS;
  const intervalMs = 1000 / rate;
  const workerData: Metronome = { startsAt, intervalMs, ticks, stopped };
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

/** What came of one request. */
interface Answer {
  readonly status: number | 'error';
  readonly text: string;
}

function post(url: string, agent: Agent, body: Buffer): Promise<Answer> {
  return new Promise((resolve) => {
    const failed = (): void => resolve({ status: 'error', text: '' });
    const call = request(url, {
      agent,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'content-length': body.length,
      },
    });
    call.once('error', failed);
    call.once('response', (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.once('error', failed);
      response.once('end', () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString() }));
    });
    call.end(body);
  });
}
