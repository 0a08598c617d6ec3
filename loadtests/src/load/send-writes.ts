import { latencySummary } from '../measure/latencies.ts';
import type { LatencySummary } from '../measure/latencies.ts';
import { hrMilliseconds } from './hr-milliseconds.ts';
import type { LoadAnswer, LoadSender } from './load-request.ts';
import { openRequests } from './open-requests.ts';
import { OutcomeCounts } from './outcome-counts.ts';
import type { OutcomeFindings } from './outcome-counts.ts';

/** Outcome of a write, as the sender of a {@link WritesOrder} reports it. */
export type SentWrite =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** Time from sending to the end of the answer, in ms. */
      readonly ms: number;
      readonly retryAfter: string | undefined;
      /** Problem of the answer, for the user. Undefined if the answer is as expected. */
      readonly problem: string | undefined;
      /** True if the load must end at once, because all later writes would fail, too. */
      readonly isFinal: boolean;
    }
  | { readonly kind: 'unanswered'; readonly reason: string; readonly problem: string };

/** Order for a load of writes to an API server. */
export interface WritesOrder {
  /** Number of different writes. */
  readonly writes: number;
  /** Indexes of the writes in the order in which they are sent, at least one. After the last one, the order begins again. */
  readonly turns: readonly number[];
  /** Sends the write with the given index once. An aborted signal ends it. */
  readonly send: (index: number, signal: AbortSignal) => Promise<SentWrite>;
  /** Number of writes per second. */
  readonly rate: number;
  readonly seconds: number;
  /**
   * True if a write is sent only if the previous one has ended, so that the time of each write is measured alone. Writes that are due in the
   * meantime are left out.
   */
  readonly isAlone: boolean;
  /** Latency in ms above which the load ends. */
  readonly stopAtMs: number;
  /** Signal that ends the load early. */
  readonly signal: AbortSignal;
  /** Called every 200 ms with the progress of the load. */
  readonly onProgress: (progress: { readonly seconds: number; readonly answered: number; readonly broken: number }) => void;
}

/** Reason why a load of writes ended before its time, with a sentence for the user. */
export interface EarlyEnd {
  readonly why: 'throttled' | 'errors' | 'latency';
  readonly sentence: string;
}

/** Findings about one write. */
export interface WriteFindings {
  /** Number of writes with an answer or a broken connection. */
  readonly sent: number;
  /** Times of expected answers in ms, in the order of the answers. */
  readonly samples: readonly number[];
  readonly latencies: LatencySummary;
  /** Number of other outcomes. */
  readonly failed: number;
  /** First problem. Absent if all answers were as expected. */
  readonly problem?: string;
}

/** Findings of a load of writes. */
export interface WritesFindings extends Omit<OutcomeFindings, 'lastAt'> {
  /** Findings by the index of the write. */
  readonly each: readonly WriteFindings[];
  /** Latencies of all expected answers. */
  readonly latencies: LatencySummary;
  readonly seconds: number;
  /** Number of writes that were sent. */
  readonly requests: number;
  /** Number of writes that were due and not sent, because earlier ones had not ended. */
  readonly notSent: number;
  /** Number of writes that started more than 1 ms late. */
  readonly late: number;
  /** Number of writes that were aborted at the end of the load. */
  readonly unanswered: number;
  readonly failed: number;
  /** Absent if the load ran for its whole time, or if its signal ended it. */
  readonly earlyEnd?: EarlyEnd;
}

/** Highest number of unanswered writes of an open load. */
const MAX_IN_FLIGHT = 256;
const TELL_MS = 200;
/** Number of failures in a row that end a load. */
const MAX_FAILURES = 5;

/** Sends writes to an API server. Ends at a 429, after five failures in a row, and at a latency that is too long. */
export async function sendWrites(order: WritesOrder): Promise<WritesFindings> {
  const load = new WriteLoad(order);
  const began = performance.now();
  const timer = setInterval(() => order.onProgress({ seconds: (performance.now() - began) / 1000, ...load.soFar }), TELL_MS);
  try {
    return await load.run();
  } finally {
    clearInterval(timer);
  }
}

class WriteLoad implements LoadSender<number> {
  readonly #order: WritesOrder;
  readonly #counts = new OutcomeCounts();
  readonly #each: { sent: number; samples: number[]; failed: number; problem?: string }[];
  /** Ends the load: no more writes are sent. */
  readonly #stop = new AbortController();
  /** Ends the writes that are under way. */
  readonly #cut = new AbortController();
  #turn = 0;
  #failures = 0;
  #earlyEnd: EarlyEnd | undefined;

  constructor(order: WritesOrder) {
    this.#order = order;
    this.#each = Array.from({ length: order.writes }, () => ({ sent: 0, samples: [], failed: 0 }));
  }

  get soFar(): { readonly answered: number; readonly broken: number } {
    return this.#counts.soFar;
  }

  async run(): Promise<WritesFindings> {
    const { rate, seconds, isAlone, turns, signal } = this.#order;
    const stop = AbortSignal.any([signal, this.#stop.signal]);
    const pace = { rate, seconds, maxInFlight: isAlone ? 1 : MAX_IN_FLIGHT, isWarmedUp: false, signal: stop };
    const { startedAt, dropped, late, unanswered } = await openRequests(this, pace, {
      next: () => turns[this.#turn++ % turns.length] ?? 0,
      answered: () => undefined,
      broken: () => undefined,
    });
    const { lastAt = startedAt, ...counts } = this.#counts.findings;
    const { answered, broken } = this.soFar;
    return {
      ...counts,
      each: this.#each.map((write) => ({ ...write, latencies: latencySummary(write.samples) })),
      latencies: latencySummary(this.#each.flatMap(({ samples }) => samples)),
      seconds: (lastAt - startedAt) / 1000,
      requests: answered + broken + unanswered,
      notSent: dropped,
      late,
      unanswered,
      failed: this.#each.reduce((sum, { failed }) => sum + failed, 0),
      ...(this.#earlyEnd && { earlyEnd: this.#earlyEnd }),
    };
  }

  /** Sends a write and counts its outcome. A write that is cut off at the end of the load does not count. */
  async send(index: number, due: number): Promise<LoadAnswer | string> {
    const { send, stopAtMs, isAlone } = this.#order;
    const tooLong = setTimeout(() => this.#endFor('latency', `a write had no answer for ${stopAtMs / 1000} s`), stopAtMs);
    const outcome = await send(index, this.#cut.signal);
    clearTimeout(tooLong);
    if (this.#cut.signal.aborted) return 'stopped';
    const write = this.#each[index];
    if (write === undefined) return 'no such write';
    write.sent += 1;
    if (outcome.problem === undefined) this.#failures = 0;
    else {
      write.failed += 1;
      write.problem ??= outcome.problem;
      this.#failures += 1;
    }
    if (outcome.kind === 'unanswered') {
      this.#counts.broken(outcome.reason);
      if (this.#failures >= MAX_FAILURES) this.#endFor('errors', `${MAX_FAILURES} writes in a row failed: ${outcome.problem}`);
      return outcome.reason;
    }
    const { status, problem, retryAfter, isFinal } = outcome;
    const ms = isAlone ? outcome.ms : hrMilliseconds() - due;
    this.#counts.answered(status, retryAfter);
    if (problem === undefined) write.samples.push(ms);
    else if (status === 429) this.#endFor('throttled', `the server asks for fewer requests (429): ${problem}`);
    else if (isFinal) this.#endFor('errors', problem);
    else if (this.#failures >= MAX_FAILURES) this.#endFor('errors', `${MAX_FAILURES} writes in a row failed: ${problem}`);
    if (ms > stopAtMs) this.#endFor('latency', `an answer took ${Math.round(ms)} ms, longer than ${stopAtMs / 1000} s`);
    return { status, headers: {}, text: '', ms };
  }

  end(): void {
    this.#cut.abort();
  }

  #endFor(why: EarlyEnd['why'], sentence: string): void {
    this.#earlyEnd ??= { why, sentence };
    this.#stop.abort();
  }
}
