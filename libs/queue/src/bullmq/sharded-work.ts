import { LONG_RUN_LIMITS } from '#evaluation';
import type { ChunkResult, DocumentSlice } from '#evaluation';
import { meanPrice } from '../flow/chunk-cost.ts';
import type { Refusal } from '../flow/flow-load.ts';
import { byLevel } from '../flow/level.ts';
import type { Claim, CommitAnswer, Depth, EvaluationRecord, WorkQueue } from '../ports.ts';
import { AnyWakeUp } from './any-wake-up.ts';
import type { RedisQueue } from './redis-queue.ts';

/** A shard that did not answer is asked whether it serves again this often, ms. */
const PROBE_MS = 500;

/**
 * The work port over several shards. What is of an evaluation goes to its own; chunks are taken from all in turn. A shard that does not answer is
 * passed over until it does: work of the others goes on.
 */
export class ShardedWork implements WorkQueue {
  readonly runLimits = LONG_RUN_LIMITS;
  readonly #shards: readonly RedisQueue[];
  readonly #holding: (id: string) => RedisQueue;
  readonly #wakeUp: AnyWakeUp;
  readonly #away = new Set<RedisQueue>();
  /** Which shard is asked first for the next chunk; counts on beyond their number. */
  #next = 0;
  #closed = false;

  /** `holding`: the shard of an evaluation. */
  constructor(shards: readonly RedisQueue[], holding: (id: string) => RedisQueue) {
    this.#shards = shards;
    this.#holding = holding;
    this.#wakeUp = new AnyWakeUp(shards.map(({ wakeUps }) => wakeUps));
  }

  freeSeatsElsewhere(): number {
    return Math.round(this.#shards.reduce((sum, { work }) => sum + work.countFreeElsewhere(), 0));
  }

  accept(record: EvaluationRecord): Promise<'accepted' | 'exists' | Refusal> {
    return this.#holding(record.id).work.accept(record);
  }

  enqueue(id: string, firstItem: number, items: readonly DocumentSlice[]): Promise<'queued' | 'over' | Refusal> {
    return this.#holding(id).work.enqueue(id, firstItem, items);
  }

  seal(id: string): Promise<void> {
    return this.#holding(id).work.seal(id);
  }

  submit(record: EvaluationRecord, chunks: readonly (readonly DocumentSlice[])[]): Promise<'accepted' | 'exists' | Refusal> {
    return this.#holding(record.id).work.submit(record, chunks);
  }

  /** The mean of what shards know: each learns from its own evaluations. One that does not answer knows nothing. */
  async expectedItemMs(digests: readonly string[]): Promise<number> {
    const known = await Promise.allSettled(this.#shards.map(({ work }) => work.knownPrices(digests)));
    return meanPrice(known.flatMap((prices) => (prices.status === 'fulfilled' ? prices.value : [])));
  }

  /** A consumer's seats are dealt out among the shards, so that the half of all that one flow may hold is half of all. */
  async join(seats: number, free = () => seats): Promise<() => Promise<void>> {
    const { length } = this.#shards;
    const leave = await Promise.all(this.#shards.map(({ work }) => work.join(seats / length, () => free() / length)));
    return async () => void (await Promise.all(leave.map((one) => one())));
  }

  async claim(signal: AbortSignal): Promise<Claim | undefined> {
    let first: number | undefined = this.#next++;
    while (first !== undefined && !signal.aborted) {
      const claim = await this.#claimFrom(first);
      if (claim) return claim;
      first = await this.#wakeUp.wait(signal);
    }
    return undefined;
  }

  /** Of claims whose shard does not answer nothing is known: they go on, and a result that comes too late is refused by its lease. */
  async renew(claims: readonly Claim[]): Promise<readonly boolean[]> {
    const held = new Map<Claim, boolean>();
    const renewals = [...Map.groupBy(claims, ({ chunk }) => this.#holding(chunk.evaluation))].map(async ([{ work }, own]) => {
      const answers = await work.renew(own);
      for (const [i, claim] of own.entries()) held.set(claim, answers[i] ?? true);
    });
    await throwIfAllFailed(renewals);
    return claims.map((claim) => held.get(claim) ?? true);
  }

  commit(claim: Claim, result: ChunkResult, spentMs?: number): Promise<CommitAnswer> {
    return this.#holding(claim.chunk.evaluation).work.commit(claim, result, spentMs);
  }

  divide(claim: Claim, result: ChunkResult, spentMs: number): Promise<CommitAnswer> {
    return this.#holding(claim.chunk.evaluation).work.divide(claim, result, spentMs);
  }

  release(claim: Claim): Promise<void> {
    return this.#holding(claim.chunk.evaluation).work.release(claim);
  }

  /** The sum of all shards. */
  async depth(): Promise<Depth> {
    const depths = await Promise.all(this.#shards.map(({ work }) => work.depth()));
    const sum = (of: (depth: Depth) => number): number => depths.reduce((total, depth) => total + of(depth), 0);
    return {
      waiting: sum(({ waiting }) => waiting),
      claimed: sum(({ claimed }) => claimed),
      waitingBytes: sum(({ waitingBytes }) => waitingBytes),
      resultBytes: sum(({ resultBytes }) => resultBytes),
      seats: Math.round(sum(({ seats }) => seats)),
      levels: byLevel((level) => ({
        waiting: sum(({ levels }) => levels[level].waiting),
        claimed: sum(({ levels }) => levels[level].claimed),
      })),
    };
  }

  /** Takes every claimed chunk back, as if all consumers had died long ago. For operators after an accident, and for tests. */
  async expireLeases(): Promise<void> {
    await Promise.all(this.#shards.map(({ work }) => work.expireLeases()));
  }

  /** Nothing is waited for any more. */
  close(): void {
    this.#closed = true;
    this.#wakeUp.close();
  }

  /** A chunk of the first shard that has one, in turn from this one on. Fails where none answers. */
  async #claimFrom(first: number): Promise<Claim | undefined> {
    const order = this.#shards.map((_, i, all) => all[(first + i) % all.length]).filter((shard) => shard !== undefined);
    const there = order.filter((shard) => !this.#away.has(shard));
    let failure: unknown;
    for (const shard of there.length > 0 ? there : order)
      try {
        const claim = await shard.work.claimNow();
        if (claim) return claim;
      } catch (error) {
        failure = error;
        this.#passOver(shard);
      }
    if (failure !== undefined && this.#away.size === this.#shards.length)
      throw failure instanceof Error ? failure : new Error(String(failure));
    return undefined;
  }

  /** Asks no chunks of a shard until it takes a write again. */
  #passOver(shard: RedisQueue): void {
    if (this.#away.has(shard)) return;
    this.#away.add(shard);
    const ask = (): void => {
      if (this.#closed) return;
      shard.probe().then(
        () => void this.#away.delete(shard),
        () => void setTimeout(ask, PROBE_MS).unref(),
      );
    };
    setTimeout(ask, PROBE_MS).unref();
  }
}

/** Waits for all; fails as the first did where none succeeded. */
async function throwIfAllFailed(all: readonly Promise<unknown>[]): Promise<void> {
  const settled = await Promise.allSettled(all);
  if (settled.length > 0 && settled.every(({ status }) => status === 'rejected')) await all[0];
}
