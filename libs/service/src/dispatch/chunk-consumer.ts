import { internalErrorStatus } from '#kube';
import { CHUNK_LIMITS, joinResults, lostStatus, steadyNow, textDigests } from '#evaluation';
import type { ChunkResult } from '#evaluation';
import { flowPath, isUnavailable } from '#queue';
import type { QueueAdapter, Claim } from '#queue';
import type { Telemetry } from '#telemetry';
import { ownEngine } from '../ports.ts';
import type { AdmittedEngine, Engine } from '../ports.ts';
import { runChunk } from '../run/run-chunk.ts';
import type { ChunkRun } from '../run/run-chunk.ts';
import { unjudged } from '../run/unjudged.ts';
import { recordClaim, recordRun, recordRequeue } from './record-chunk.ts';
import { UnstoredResults } from './unstored-results.ts';

/** Interval at which leases of running chunks are renewed, ms. A renewal also reports cancellations, so a lost message delays a cancellation by no more than this. */
export const RENEW_MS = 1000;
/** Number of claims after which a chunk is not judged any more, because each time the whole process of its consumer was lost. */
const MOST_CLAIMS = 8;

/** Factor by which a run may exceed its expected time before it gives back its remaining items. */
const OVERDUE = 2;
/** Minimum time in ms for which a run keeps its parts, although other work runs between them. */
const LEAST_OVERDUE_MS = 1000;

/** Why a chunk is stopped that is to run again: others wait for the seat that its flow borrowed. */
const REQUEUED = Symbol('requeued');

/** Access to the engine for chunks of a shared queue, next to the process's other work. */
export interface SharedSeats {
  /** Seats that other work left free over the last second. */
  readonly freeSeats: number;
  /** Returns access to the engine for one claimed chunk. The consumer calls `leave` when the chunk is judged. */
  openRun(claim: Claim): AdmittedEngine;
}

/** A chunk that is being judged, and the way to stop it. */
interface Running {
  readonly stop: AbortController;
  readonly done: Promise<void>;
}

/**
 * Judges claimed chunks and commits their results. Stops chunks of an evaluation that is cancelled or past its deadline. Each renewal of the leases also
 * reports cancellations, because messages about them may be lost. Keeps results until the storage can take them.
 */
export class ChunkConsumer {
  readonly #queue: QueueAdapter;
  readonly #open: (claim: Claim) => AdmittedEngine;
  readonly #telemetry: Telemetry;
  readonly #running = new Map<Claim, Running>();
  readonly #unstored = new UnstoredResults();
  readonly #renewing: NodeJS.Timeout;
  readonly #stopListening: () => void;
  readonly #leave: Promise<(() => Promise<void>) | undefined>;
  #ending = false;

  /**
   * Joins the queue as a consumer with one seat per thread.
   *
   * @param seats access to the engine next to other work; by default a chunk uses the engine at once
   */
  constructor(queue: QueueAdapter, engine: Engine, telemetry: Telemetry, seats?: SharedSeats) {
    this.#queue = queue;
    this.#open = (claim) => seats?.openRun(claim) ?? ownEngine(engine);
    this.#telemetry = telemetry;
    this.#renewing = setInterval(() => void this.#renew().catch(() => undefined), RENEW_MS);
    this.#stopListening = queue.cancellations.onCancelled((evaluation) => {
      for (const [{ chunk }, { stop }] of this.#running) if (chunk.evaluation === evaluation) stop.abort();
    });
    this.#leave = queue.work.join(engine.threads, seats && (() => seats.freeSeats)).catch((error: unknown) => this.failed(error));
  }

  /** Judges a claimed chunk; resolves when its result is committed, or cannot be. */
  take(claim: Claim): Promise<void> {
    const stop = new AbortController();
    const done = this.#work(claim, stop)
      .catch((error: unknown) => this.failed(error))
      .then(() => void this.#running.delete(claim));
    this.#running.set(claim, { stop, done });
    return done;
  }

  /** Stops a chunk that is being judged, and gives it back to its queue. One that is done by then is committed. */
  requeue(claim: Claim): void {
    this.#running.get(claim)?.stop.abort(REQUEUED);
  }

  /** Gives back what the engine leaves unfinished from now on, to run elsewhere. Resolves when nothing runs any more. */
  async end(): Promise<void> {
    this.#ending = true;
    await Promise.all([...this.#running.values()].map(({ done }) => done));
    clearInterval(this.#renewing);
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
    try {
      const startMs = epochNow();
      const run = await this.#judge(claim, stop.signal);
      const { result, spentMs } = run;
      if (this.#ending && !stop.signal.aborted && result.tally.cancelled > 0) return await work.release(claim);
      if (stop.signal.reason === REQUEUED && result.tally.cancelled > 0) {
        recordRequeue(this.#telemetry, claim);
        return await work.release(claim, spentMs);
      }
      if (!stop.signal.aborted && result.tally.cancelled > 0 && work.divide !== undefined) return await this.#divide(claim, run, startMs);
      recordRun(this.#telemetry, chunk, result, { startMs, endMs: epochNow() });
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

  /** Commits what was judged of a run that takes too long, and gives back the rest. */
  async #divide(claim: Claim, { completeParts, spentMs }: ChunkRun, startMs: number): Promise<void> {
    if (completeParts.length === 0) return this.#queue.work.release(claim);
    const result = joinResults(completeParts);
    const chunk = { ...claim.chunk, items: claim.chunk.items.slice(0, result.verdicts.length) };
    recordRun(this.#telemetry, chunk, result, { startMs, endMs: epochNow() });
    try {
      await this.#queue.work.divide?.(claim, { ...result, spans: [] }, spentMs);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      this.#unstored.keep(claim, undefined, spentMs);
      this.failed(error);
    }
  }

  async #judge(claim: Claim, signal: AbortSignal): Promise<ChunkRun> {
    const { chunk, earlierClaims, celSpent } = claim;
    const given = (status: Parameters<typeof unjudged>[3]): ChunkRun => ({
      result: unjudged(chunk.items, chunk.firstItem, 'notEvaluated', status),
      spentMs: 0,
      completeParts: [],
    });
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
    const parts = 'celLeft' in budget ? {} : { partItems: partItemsOf(claim), onPart: this.#givesBackOverdue(claim, engine) };
    try {
      return await runChunk(engine, chunk, known, { signal, flow: flowPath(claim.queueKey), ...parts, ...budget });
    } finally {
      engine.leave();
    }
  }

  /**
   * Returns the function that is called after each part of a run. If the run exceeds twice its expected time, its remaining parts leave the
   * engine, because other processes may start them sooner.
   */
  #givesBackOverdue({ expectedMs }: Claim, engine: AdmittedEngine): (spentMs: number) => void {
    const { work } = this.#queue;
    const startMs = steadyNow();
    return (spentMs) => {
      const isOverdue = spentMs > OVERDUE * expectedMs || steadyNow() - startMs > Math.max(OVERDUE * expectedMs, LEAST_OVERDUE_MS);
      if (isOverdue && work.divide !== undefined && work.freeSeatsElsewhere() > 0) engine.leave();
    };
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
 * Returns the expected time of a claimed chunk on a thread, in ms. The time is Infinity for an evaluation with a budget, so that no other
 * chunk waits behind this chunk in the engine. The commit of this chunk determines how much the next chunk may spend.
 */
export function expectedMsOf({ chunk, expectedMs }: Claim): number {
  return typeof chunk.settings.options.costLimits.perEvaluation === 'number' ? Infinity : expectedMs;
}

/**
 * Time in ms for which a part of a long run occupies a thread. Turns and cancellations are then as fine-grained as with chunks of this
 * process.
 */
const PART_MS = 5;

/** Returns the number of items in a part of a claimed chunk: all of them unless it was cut as a long run. */
function partItemsOf({ chunk: { items }, expectedMs }: Claim): number {
  if (items.length <= CHUNK_LIMITS.items && expectedMs <= CHUNK_LIMITS.ms) return items.length;
  return Math.max(1, Math.min(CHUNK_LIMITS.items, Math.floor((items.length * PART_MS) / expectedMs)));
}

/** Returns epoch ms with a fraction, in the precision with which threads measure. */
const epochNow = (): number => performance.timeOrigin + performance.now();
