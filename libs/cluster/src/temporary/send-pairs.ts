import { setTimeout as sleep } from 'node:timers/promises';
import type { ClusterWrite, WriteOutcome } from '../api-writer.ts';

/** Two writes of the same object that are compared. `b` is the write to the definition with the rule. */
export interface ComparedWrites {
  readonly a: ClusterWrite;
  readonly b: ClusterWrite;
}

/** Times in ms of two compared writes, which were sent directly one after the other. */
export interface WritePair {
  readonly a: number;
  readonly b: number;
}

/** Measurements of two compared writes. */
export interface SentPairs {
  /** Times in ms from sending to the end of the answer, in the order of measurement. */
  readonly pairs: readonly WritePair[];
  /** HTTP codes of the first answers. All later answers have the same codes. */
  readonly codes: { readonly a: number; readonly b: number } | undefined;
  /** Reason why these writes were not measured to the end. */
  readonly problem: string | undefined;
}

/** Limits of a measurement. */
export interface PairLimits {
  /** Highest number of requests a second. */
  readonly rate: number;
  /** Time of the measurement in ms, without the first write of each definition. */
  readonly durationMs: number;
  /** Latency in ms at which the measurement stops. */
  readonly stopAtMs: number;
  /** Highest number of pairs of one comparison. Default: 600. A 99th percentile with its interval needs 437. */
  readonly maxPairs?: number;
}

/** Functions through which writes are sent. */
export interface PairPorts {
  /** Sends the first write to a definition, which the server may not serve yet. */
  readonly first: (write: ClusterWrite) => Promise<WriteOutcome>;
  readonly send: (write: ClusterWrite) => Promise<WriteOutcome>;
  /** Returns the reason why a server refused a write, in words without values of the object. */
  readonly reasonOf: (write: ClusterWrite, outcome: WriteOutcome) => string;
  readonly report: (text: () => string) => void;
  readonly signal: AbortSignal;
}

/** Outcome of a measurement. `stopped`: the reason why it ended early. */
export interface PairsOutcome {
  readonly sent: readonly SentPairs[];
  readonly stopped: string | undefined;
}

const MAX_PAIRS = 600;
/** Codes of answers that are measured: a dry run that succeeds, and an object that a rule or a cost limit refuses. */
const MEASURED = new Set([200, 201, 422]);

interface Comparison {
  readonly writes: ComparedWrites;
  readonly pairs: WritePair[];
  codes: { a: number; b: number } | undefined;
  problem: string | undefined;
  spentMs: number;
}

/**
 * Sends compared writes in pairs, one request at a time. The order within pairs alternates: a b, b a, a b. After each pair, the comparison is
 * next that has taken the least time so far. Therefore all comparisons extend over the whole measurement, and slow phases of the server affect
 * all of them.
 *
 * Stops at an answer with 429 or 5xx, without an answer, at a latency over the limit, or when `signal` is aborted. Returns the
 * measurements so far.
 */
export async function sendPairs(compared: readonly ComparedWrites[], limits: PairLimits, ports: PairPorts): Promise<PairsOutcome> {
  const run = new PairRun(compared, limits, ports);
  await run.warmUp();
  await run.measure();
  return { sent: run.comparisons.map(({ pairs, codes, problem }) => ({ pairs, codes, problem })), stopped: run.stopped };
}

class PairRun {
  readonly comparisons: readonly Comparison[];
  stopped: string | undefined;
  readonly #limits: PairLimits;
  readonly #ports: PairPorts;
  #nextAt = 0;

  constructor(compared: readonly ComparedWrites[], limits: PairLimits, ports: PairPorts) {
    this.comparisons = compared.map((writes) => ({ writes, pairs: [], codes: undefined, problem: undefined, spentMs: 0 }));
    this.#limits = limits;
    this.#ports = ports;
  }

  /** Sends each write once. The server compiles the rules of a definition with its first write. */
  async warmUp(): Promise<void> {
    for (const [i, one] of this.comparisons.entries()) {
      this.#ports.report(() => `first writes: ${i} of ${this.comparisons.length} comparisons`);
      const a = await this.#firstCode(one, one.writes.a);
      const b = a === undefined ? undefined : await this.#firstCode(one, one.writes.b);
      if (a !== undefined && b !== undefined) one.codes = { a, b };
      if (a === 422 && b === 422) one.problem = 'the server refuses the object also without the rule';
    }
  }

  async #firstCode(one: Comparison, write: ClusterWrite): Promise<number | undefined> {
    if (this.#isOver) return undefined;
    await this.#turn();
    const outcome = await this.#ports.first(write);
    if (outcome.kind === 'answered' && MEASURED.has(outcome.code)) return outcome.code;
    this.#fail(one, write, outcome);
    return undefined;
  }

  /** Sends pairs until the time is over, all comparisons have enough pairs, or something stops the measurement. */
  async measure(): Promise<void> {
    const begun = performance.now();
    const until = begun + this.#limits.durationMs;
    while (!this.#isOver && performance.now() < until) {
      const { maxPairs = MAX_PAIRS } = this.#limits;
      const open = this.comparisons.filter(({ problem, codes, pairs }) => problem === undefined && codes && pairs.length < maxPairs);
      const [next] = open.toSorted((a, b) => a.spentMs - b.spentMs);
      if (next === undefined) return;
      const startedAt = performance.now();
      await this.#pair(next);
      next.spentMs += performance.now() - startedAt;
      const whole = Math.round(this.#limits.durationMs / 1000);
      this.#ports.report(() => `${Math.round((performance.now() - begun) / 1000)} of ${whole} s: ${this.#count} pairs sent`);
    }
  }

  get #count(): number {
    return this.comparisons.reduce((sum, { pairs }) => sum + pairs.length, 0);
  }

  get #isOver(): boolean {
    return this.stopped !== undefined || this.#ports.signal.aborted;
  }

  async #pair(one: Comparison): Promise<void> {
    const isTurned = one.pairs.length % 2 === 1;
    const first = await this.#time(one, isTurned ? 'b' : 'a');
    const second = first === undefined ? undefined : await this.#time(one, isTurned ? 'a' : 'b');
    if (first === undefined || second === undefined) return;
    one.pairs.push(isTurned ? { a: second, b: first } : { a: first, b: second });
  }

  async #time(one: Comparison, side: 'a' | 'b'): Promise<number | undefined> {
    if (this.#isOver) return undefined;
    await this.#turn();
    const outcome = await this.#ports.send(one.writes[side]);
    if (outcome.kind === 'answered' && outcome.code === one.codes?.[side]) {
      const { stopAtMs } = this.#limits;
      if (outcome.ms > stopAtMs) this.stopped = `a request took ${Math.round(outcome.ms)} ms, more than --stop-at ${stopAtMs} ms`;
      return outcome.ms;
    }
    this.#fail(one, one.writes[side], outcome);
    return undefined;
  }

  /** Ends a comparison, and the whole measurement if the server is in trouble. */
  #fail(one: Comparison, write: ClusterWrite, outcome: WriteOutcome): void {
    if (outcome.kind === 'stopped') return;
    const reason = this.#ports.reasonOf(write, outcome);
    one.problem ??= reason;
    const isOwnFault = outcome.kind === 'answered' && outcome.code < 500 && outcome.code !== 429;
    if (!isOwnFault) this.stopped ??= reason;
  }

  /** Waits until the rate allows the next request. */
  async #turn(): Promise<void> {
    const now = performance.now();
    if (this.#nextAt > now) await sleep(this.#nextAt - now, undefined, { signal: this.#ports.signal }).catch(() => undefined);
    this.#nextAt = Math.max(now, this.#nextAt) + 1000 / this.#limits.rate;
  }
}
