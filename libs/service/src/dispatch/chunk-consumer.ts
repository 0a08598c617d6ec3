import { internalErrorStatus } from '#kube';
import { CHUNK_LIMITS, hasBudget, lostStatus, steadyNow, textDigests } from '#evaluation';
import type { ChunkResult } from '#evaluation';
import { isUnavailable } from '#queue';
import { ownEngine } from '#runner';
import { flowPath } from '#runner/flow';
import type { QueueAdapter, Claim } from '#queue';
import type { Telemetry } from '#telemetry';
import type { Engine } from '../ports.ts';
import type { AdmittedEngine, ClaimedWork } from '#runner';
import { runChunk } from '../run/run-chunk.ts';
import type { ChunkRun } from '../run/run-chunk.ts';
import { unjudged } from '../run/unjudged.ts';
import { recordClaim, recordRun } from './record-chunk.ts';
import { TakenOver } from './taken-over.ts';
import { UnstoredResults } from './unstored-results.ts';

/**
 * Interval in ms at which a process renews its leases of the chunks (parts of evaluations) that it runs. The answer to each renewal also
 * reports cancelled chunks. A cancellation whose message is lost is therefore delayed by at most this interval.
 */
export const RENEW_MS = 1000;
/**
 * Number of claims of a chunk after which the chunk is not evaluated any more. Each earlier claim ended because the consumer's whole
 * process was lost.
 */
const MOST_CLAIMS = 8;

/**
 * Access of a consumer to the engine, for chunks (parts of evaluations) that this process claims from a shared queue. The engine also runs
 * other work of this process, and that work reduces the number of free threads.
 */
export interface SharedSeats {
  /** Mean number of seats (threads of the engine) that other work of this process left free over about the last second. */
  readonly freeSeats: number;
  /** Returns access to the engine for one claimed chunk. The consumer calls `leave` of the returned object when the chunk is evaluated. */
  openRun(claim: ClaimedWork): AdmittedEngine;
}

/** Chunk that is being evaluated: the controller that stops it, and a promise for its end. */
interface Running {
  readonly stop: AbortController;
  readonly done: Promise<void>;
}

/**
 * Consumer that evaluates claimed chunks and commits their results. It stops the chunks of an evaluation that is cancelled or past its
 * deadline. Each renewal of the leases also reports cancellations, because messages about them may be lost. Results are kept until the
 * storage can store them.
 */
export class ChunkConsumer {
  readonly #queue: QueueAdapter;
  readonly #open: (claim: Claim) => AdmittedEngine;
  readonly #telemetry: Telemetry;
  readonly #running = new Map<Claim, Running>();
  readonly #unstored = new UnstoredResults();
  readonly #takenOver: TakenOver;
  readonly #renewing: NodeJS.Timeout;
  readonly #stopListening: () => void;
  readonly #leave: Promise<(() => Promise<void>) | undefined>;
  #ending = false;

  /**
   * Joins the queue as a consumer with one seat per thread.
   *
   * @param seats access to an engine that also runs other work; by default, each chunk uses `engine` immediately
   */
  constructor(queue: QueueAdapter, engine: Engine, telemetry: Telemetry, seats?: SharedSeats) {
    this.#queue = queue;
    this.#open = (claim) => seats?.openRun({ ...claim, mayLeave: true }) ?? ownEngine(engine);
    this.#telemetry = telemetry;
    this.#takenOver = new TakenOver(telemetry);
    this.#renewing = setInterval(() => {
      this.#takenOver.report();
      void this.#renew().catch(() => undefined);
    }, RENEW_MS);
    this.#stopListening = queue.cancellations.onCancelled((evaluation) => {
      for (const [{ chunk }, { stop }] of this.#running) if (chunk.evaluation === evaluation) stop.abort();
    });
    this.#leave = queue.work.join(engine.threads, seats && (() => seats.freeSeats)).catch((error: unknown) => this.failed(error));
  }

  /** Evaluates a claimed chunk. Resolves when its result is committed, or when the result cannot be committed. */
  take(claim: Claim): Promise<void> {
    const stop = new AbortController();
    const done = this.#work(claim, stop)
      .catch((error: unknown) => this.failed(error))
      .then(() => void this.#running.delete(claim));
    this.#running.set(claim, { stop, done });
    return done;
  }

  /**
   * Stops consuming. Chunks that the engine does not finish are given back, so that another consumer can run them. Resolves when no chunk
   * runs any more.
   */
  async end(): Promise<void> {
    this.#ending = true;
    await Promise.all([...this.#running.values()].map(({ done }) => done));
    clearInterval(this.#renewing);
    this.#takenOver.report();
    this.#stopListening();
    await this.#unstored.end(this.#queue.work).catch((error: unknown) => this.failed(error));
    const leave = await this.#leave;
    await leave?.().catch((error: unknown) => this.failed(error));
  }

  /** Logs that a request to the queue failed. */
  failed(error: unknown): undefined {
    this.#telemetry.log.error({ err: error }, 'the queue does not answer');
  }

  async #work(claim: Claim, stop: AbortController): Promise<void> {
    const { chunk } = claim;
    const { work } = this.#queue;
    const leftMs = chunk.settings.deadlineAt - steadyNow();
    if (leftMs <= 0) stop.abort();
    const deadline = setTimeout(() => stop.abort(), Math.max(0, leftMs));
    recordClaim(this.#telemetry, claim);
    this.#takenOver.note(claim);
    try {
      const startMs = epochNow();
      const { result, spentMs, judgedHere } = await this.#judge(claim, stop.signal);
      if (this.#ending && !stop.signal.aborted && result.tally.cancelled > 0) return await work.release(claim);
      const { options, traceparent } = chunk.settings;
      const times = { startMs, endMs: epochNow() };
      if (judgedHere) recordRun(this.#telemetry, { ...chunk, options, traceparent }, judgedHere, times);
      await this.#commit(claim, { ...result, spans: [] }, spentMs);
    } finally {
      clearTimeout(deadline);
    }
  }

  async #commit(claim: Claim, result: ChunkResult, spentMs: number): Promise<void> {
    try {
      await this.#queue.work.commit(claim, result, spentMs);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      this.#unstored.keep(claim, result, spentMs);
      this.failed(error);
    }
  }

  async #judge(claim: Claim, signal: AbortSignal): Promise<ChunkRun> {
    const { chunk, earlierClaims, celSpent } = claim;
    const given = (status: Parameters<typeof unjudged>[3]): ChunkRun => {
      const result = unjudged(chunk.items, chunk.firstItem, 'notEvaluated', status);
      return { result, spentMs: 0, judgedHere: result };
    };
    if (earlierClaims >= MOST_CLAIMS)
      return given(internalErrorStatus(`${earlierClaims} consumers were lost while they judged this object or its neighbours`));
    const definitions = await Promise.all(textDigests(chunk.settings).map((digest) => this.#queue.definitions.get(digest)));
    const known = definitions.filter((text) => text !== undefined);
    // What the storage has lost is not as if the client had never sent it.
    if (known.length < definitions.length) return given(lostStatus());
    const { perEvaluation } = chunk.settings.options.costLimits;
    const budget = typeof perEvaluation === 'number' ? { celLeft: perEvaluation - celSpent } : {};
    const engine = this.#open(claim);
    // With a budget each item depends on what those before it spent.
    const parts = 'celLeft' in budget ? {} : { partItems: partItemsOf(claim) };
    try {
      return await runChunk(engine, chunk, known, { signal, flow: flowPath(claim.queueKey), ...parts, ...budget });
    } finally {
      engine.leave();
    }
  }

  async #renew(): Promise<void> {
    const claims = [...this.#running.keys(), ...this.#unstored.claims];
    if (claims.length === 0) return;
    const held = await this.#queue.work.renew(claims);
    for (const [i, claim] of claims.entries()) if (held[i] === false) this.#lose(claim);
    await this.#unstored.retry(this.#queue.work);
  }

  /**
   * Handles a chunk whose claim is lost, because another consumer claimed it or its evaluation is over. Stops the chunk and drops its
   * result.
   */
  #lose(claim: Claim): void {
    this.#running.get(claim)?.stop.abort();
    this.#unstored.drop(claim);
  }
}

/**
 * Returns the time in ms for which a claimed chunk is expected to occupy a thread. Returns Infinity if the evaluation has a total cost
 * limit. In this case, no other chunk may wait behind this chunk in the engine. The remaining cost for the next chunk is known only after
 * this chunk's commit.
 */
export function expectedMsOf({ chunk, expectedMs }: Claim): number {
  return hasBudget(chunk.settings) ? Infinity : expectedMs;
}

/**
 * Time in ms for which one part of a long chunk occupies a thread. Parts are short, so that other work gets its turn, and cancellations
 * take effect, as often as with chunks of this process.
 */
const PART_MS = 5;

/** Returns the number of items in each part of a claimed chunk. A chunk within the usual limits of items and time has only one part. */
function partItemsOf({ chunk: { items }, expectedMs }: Claim): number {
  if (items.length <= CHUNK_LIMITS.items && expectedMs <= CHUNK_LIMITS.ms) return items.length;
  return Math.max(1, Math.min(CHUNK_LIMITS.items, Math.floor((items.length * PART_MS) / expectedMs)));
}

/** Returns the time in epoch ms with a fraction, as precise as the measurements of threads. */
const epochNow = (): number => performance.timeOrigin + performance.now();
