import { internalErrorStatus } from '#kube';
import { lostStatus } from '#evaluation';
import type { Chunk, ChunkResult, DefinitionText } from '#evaluation';
import { logger } from '#telemetry';
import type { EngineHost } from './engine-host.ts';
import { RUN_LIMITS } from './limits.ts';
import { runChunk, unjudged } from './run-chunk.ts';
import { SeatTime } from './seat-time.ts';

/** A chunk in the hands of this consumer. */
export interface ClaimedChunk {
  readonly chunk: Chunk;
  /** How often it was claimed before and came back. */
  readonly earlierClaims: number;
  /** Priority level of its flow. */
  readonly level: string;
  /** From being queued to being claimed, ms. */
  readonly waitedMs: number;
  /** CEL cost units that its evaluation was charged so far. */
  readonly celSpent: number;
  /** What it is expected to take of a seat, ms. */
  readonly expectedMs: number;
}

/** Where chunks come from and results go: what a consumer needs of a queue. */
export interface ChunkSource<Claim extends ClaimedChunk> {
  /** Takes part with so many seats, until the function that is returned is called. */
  join(seats: number): Promise<() => Promise<void>>;
  claim(signal: AbortSignal): Promise<Claim | undefined>;
  /** Prolongs leases; false for each chunk that is to be stopped. */
  renew(claims: readonly Claim[]): Promise<readonly boolean[]>;
  commit(claim: Claim, result: ChunkResult, spentMs: number): Promise<unknown>;
  release(claim: Claim): Promise<void>;
  definition(digest: string): Promise<DefinitionText | undefined>;
  /** Calls back with the id of every evaluation that is cancelled; returns the way to stop listening. */
  onCancelled(listener: (evaluation: string) => void): () => void;
}

/** Told of each chunk, for traces and metrics. Times are epoch ms. */
export interface ChunkObserver {
  claimed(claim: ClaimedChunk): void;
  ran(chunk: Chunk, result: ChunkResult, startMs: number, endMs: number): void;
}

/**
 * Takes chunks as long as `signal` lives: one for each thread of the host, and small ones a little ahead ({@link RUN_LIMITS.aheadMs}). Stops
 * those whose evaluation is cancelled or past its deadline. Leases are renewed each second, which also tells what a lost message would have
 * told. A source that does not answer is asked again; what ran meanwhile and could not be committed is run again by whoever claims it next.
 * The API (embedded mode) and the worker run the same consumer.
 */
export async function consumeChunks<Claim extends ClaimedChunk>(
  source: ChunkSource<Claim>,
  host: EngineHost,
  signal: AbortSignal,
  observe: ChunkObserver,
): Promise<void> {
  const inHand = new Map<Claim, { readonly controller: AbortController; readonly done: Promise<void> }>();
  const seatTime = new SeatTime(host.threads);
  let roomAgain = (): void => undefined;
  const stopListening = source.onCancelled((evaluation) => {
    for (const [{ chunk }, { controller }] of inHand) if (chunk.evaluation === evaluation) controller.abort();
  });
  const renewing = setInterval(() => void renew().catch(() => undefined), RUN_LIMITS.renewMs);
  const leaving = source.join(host.threads).catch(unreachable);
  while (!signal.aborted) {
    try {
      await room();
      const claim = await source.claim(signal);
      if (claim) begin(claim);
    } catch (error) {
      unreachable(error);
      await new Promise((resolve) => setTimeout(resolve, RUN_LIMITS.renewMs));
    }
  }
  await Promise.all([...inHand.values()].map(({ done }) => done));
  clearInterval(renewing);
  stopListening();
  const leave = await leaving;
  await leave?.().catch(unreachable);

  /** Waits until one more chunk can run at once or very soon. */
  async function room(): Promise<void> {
    while (!hasRoom()) await new Promise<void>((resolve) => (roomAgain = resolve));
  }

  function hasRoom(): boolean {
    if (inHand.size < host.threads) return true;
    if (inHand.size >= host.threads * RUN_LIMITS.worksPerThread) return false;
    const expectedMs = [...inHand.keys()].reduce((sum, claim) => sum + aheadMs(claim), 0);
    return expectedMs < host.threads * RUN_LIMITS.aheadMs;
  }

  function begin(claim: Claim): void {
    const controller = new AbortController();
    const done = work(claim, controller)
      .catch(unreachable)
      .then(() => {
        inHand.delete(claim);
        roomAgain();
      });
    inHand.set(claim, { controller, done });
  }

  async function renew(): Promise<void> {
    const claims = [...inHand.keys()];
    if (claims.length === 0) return;
    const held = await source.renew(claims);
    for (const [i, claim] of claims.entries()) if (held[i] === false) inHand.get(claim)?.controller.abort();
  }

  async function work(claim: Claim, controller: AbortController): Promise<void> {
    const { chunk } = claim;
    const deadline = setTimeout(() => controller.abort(), Math.max(0, chunk.settings.deadlineAt - Date.now()));
    observe.claimed(claim);
    try {
      const startMs = Date.now();
      const { result, spentMs } = await seatTime.of(judge(claim, controller.signal));
      if (signal.aborted && !controller.signal.aborted && result.tally.cancelled > 0) return await source.release(claim);
      observe.ran(chunk, result, startMs, Date.now());
      await source.commit(claim, { ...result, spans: [] }, spentMs);
    } finally {
      clearTimeout(deadline);
    }
  }

  async function judge({ chunk, earlierClaims, celSpent }: Claim, stop: AbortSignal): Promise<ChunkResult> {
    if (earlierClaims >= RUN_LIMITS.claims) {
      const status = internalErrorStatus(`${earlierClaims} consumers were lost while they judged this object or its neighbours`);
      return unjudged(chunk.items, chunk.firstItem, 'notEvaluated', status);
    }
    const definitions = await Promise.all(chunk.settings.definitions.map(({ digest }) => source.definition(digest)));
    const known = definitions.filter((text) => text !== undefined);
    // What the storage has lost is not as if the client had never sent it.
    if (known.length < definitions.length) return unjudged(chunk.items, chunk.firstItem, 'notEvaluated', lostStatus());
    const { perEvaluation } = chunk.settings.options.costLimits;
    const budget = typeof perEvaluation === 'number' ? { celLeft: perEvaluation - celSpent } : {};
    return runChunk(host, chunk, known, { signal: stop, ...budget });
  }
}

/** What a chunk that is in hand counts against claiming ahead. Of an evaluation with a budget, what the next may spend shows only when this one is committed. */
function aheadMs({ chunk, expectedMs }: ClaimedChunk): number {
  return typeof chunk.settings.options.costLimits.perEvaluation === 'number' ? Infinity : expectedMs;
}

function unreachable(error: unknown): undefined {
  logger.error({ err: error }, 'the queue does not answer');
}
