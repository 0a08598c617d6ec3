import { randomUUID } from 'node:crypto';
import { chunkBytes, LONG_RUN_LIMITS, steadyNow } from '#evaluation';
import type { ChunkResult, DocumentSlice } from '#evaluation';
import { meanPrice, isRefusal, queueKeyOf, byLevel } from '#runner/flow';
import type { Refusal } from '#runner/flow';
import type { Claim, CommitAnswer, Depth, EvaluationRecord, WorkQueue } from '../ports.ts';
import { resultBytes } from '../result-bytes.ts';
import { REDIS_FORM } from '../stored-form.ts';
import { ACCEPT, CLAIM, COMMIT, ENQUEUE, EXPIRE_LEASES, FORGET, JOIN, RELEASE, RENEW, SEAL, SUBMIT } from './lua/commands.ts';
import type { AcceptArguments } from './lua/commands.ts';
import type { ChunkArguments } from './lua/command.ts';
import { claimOf, packChunk, packRecord, packResult, tallyFields } from './packing.ts';
import { isPrice } from './redis-prices.ts';
import type { RedisStore } from './redis-store.ts';
import type { WakeUps } from './wake-ups.ts';

/**
 * Maximum number of chunks, and maximum size of these chunks in bytes, that one script accepts together with an evaluation. The limits
 * prevent scripts from blocking the server for long.
 */
const CHUNKS_A_STEP = 8;
const BYTES_A_STEP = 4 * 1024 * 1024;

/** Id that represents all consumers on the channel of changes. */
const ALL_CONSUMERS = 'consumers';

/** Consumer in this process that joined the queue. */
interface Consumer {
  readonly name: string;
  readonly seats: number;
  /** Returns the number of seats (engine threads) that other work currently leaves free. */
  readonly free: () => number;
  /** Number of free seats (engine threads) in the last report to other processes. */
  reportedFree: number;
}

/**
 * Minimum change of a consumer's free seats (engine threads) that ends an idle interval between heartbeats. The next heartbeat reports the
 * new number.
 */
const NEWS_SEATS = 0.5;

/**
 * Queue of chunks over Redis. Each operation is one script: an atomic step that may safely be sent twice. Leases are measured by the
 * server's clock.
 */
export class RedisWork implements WorkQueue {
  readonly runLimits = LONG_RUN_LIMITS;
  readonly #store: RedisStore;
  readonly #wakeUps: Pick<WakeUps, 'add' | 'take'>;
  readonly #consumers = new Set<Consumer>();
  /** Total number of seats (engine threads) of all consumers at the last count. */
  #seats = 0;
  /** Number of seats (engine threads) of consumers in other processes that were free at the last count. */
  #freeElsewhere = 0;
  /** Number of seats (engine threads) of each consumer in another process at the last count. */
  #seatsElsewhere: readonly number[] = [];
  /** Number of waiting chunks in the last response of a script. */
  #waiting = 0;

  constructor(store: RedisStore, wakeUps: Pick<WakeUps, 'add' | 'take'>) {
    this.#store = store;
    this.#wakeUps = wakeUps;
    store.announcements.onChange(ALL_CONSUMERS, () => store.stirred.notify());
  }

  /** Returns the number of seats (engine threads) in other processes that are free for this queue, as last reported. */
  freeSeatsElsewhere(): number {
    this.#countSoon();
    return Math.round(this.#freeElsewhere);
  }

  /** Returns the number of seats (engine threads) of each consumer in another process, as last reported. */
  seatsElsewhere(): readonly number[] {
    this.#countSoon();
    return this.#seatsElsewhere;
  }

  /** Counts the seats within one heartbeat if there are other consumers. An idle process otherwise counts only now and then. */
  #countSoon(): void {
    if (this.#seatsElsewhere.length > 0) this.#store.stirred.notify();
  }

  async accept(record: EvaluationRecord): Promise<'accepted' | 'exists' | Refusal> {
    await this.#store.gate.pass();
    this.#store.stirred.notify();
    const accept = () => this.#store.scripts.word(ACCEPT, this.#acceptance(record));
    return (await this.#store.gate.whileAnswering(accept)) as 'accepted' | 'exists' | Refusal;
  }

  async enqueue(id: string, firstItem: number, items: readonly DocumentSlice[]): Promise<'queued' | 'over' | Refusal> {
    const chunk = this.#packedItems(firstItem, items);
    const given = { id, chunk, ttlMs: this.#ttlMs, allBytes: this.#store.limits.waitingBytes };
    const [answer, waiting] = await this.#store.gate.whileAnswering(() => this.#waking(1, this.#store.scripts.words(ENQUEUE, given)));
    this.#waiting = Number(waiting);
    return answer as 'queued' | 'over' | Refusal;
  }

  async seal(id: string): Promise<void> {
    const [, ended] = await this.#store.gate.whileAnswering(() => this.#store.scripts.words(SEAL, { id }));
    if (ended === 'complete') this.#store.ended.notify({ id, end: ended });
  }

  async submit(record: EvaluationRecord, chunks: readonly (readonly DocumentSlice[])[]): Promise<'accepted' | 'exists' | Refusal> {
    await this.#store.gate.pass();
    this.#store.stirred.notify();
    const bytes = chunks.reduce((sum, items) => sum + chunkBytes(items), 0);
    if (chunks.length > CHUNKS_A_STEP || (chunks.length > 1 && bytes > BYTES_A_STEP)) return this.#submitStepwise(record, chunks);
    let firstItem = 0;
    const packed = chunks.map((items) => {
      firstItem += items.length;
      return this.#packedItems(firstItem - items.length, items);
    });
    const given = { ...this.#acceptance(record), chunks: packed, ttlMs: this.#ttlMs };
    const submit = () => this.#waking(chunks.length, this.#store.scripts.words(SUBMIT, given));
    const [answer = '', ended, waiting] = await this.#store.gate.whileAnswering(submit);
    this.#waiting = Number(waiting);
    if (ended === 'complete') this.#store.ended.notify({ id: record.id, end: ended });
    return isRefusal(answer) || answer === 'exists' ? answer : 'accepted';
  }

  async expectedItemMs(digests: readonly string[]): Promise<number> {
    const { redis, keys, gate } = this.#store;
    if (digests.length === 0) return meanPrice([]);
    const prices = await gate.whileAnswering(() => redis.mget(...digests.map((digest) => keys.price(digest))));
    return meanPrice(prices.filter(isPrice).map(Number));
  }

  async join(seats: number, free = () => seats): Promise<() => Promise<void>> {
    const consumer = { name: randomUUID(), seats, free, reportedFree: seats };
    this.#consumers.add(consumer);
    const { leaseMs, heartbeatMs } = this.#store.limits;
    const watching = setInterval(() => this.#watch(consumer), heartbeatMs).unref();
    await this.#join(consumer, leaseMs);
    await this.#announceConsumers();
    return async () => {
      clearInterval(watching);
      this.#consumers.delete(consumer);
      await this.#join(consumer, 0);
      await this.#announceConsumers();
    };
  }

  async claim(signal: AbortSignal): Promise<Claim | undefined> {
    while (!signal.aborted) {
      const claim = await this.#claimNow();
      if (claim) return claim;
      await this.#wakeUps.take(signal);
    }
    return undefined;
  }

  /** Claims the next chunk. Returns undefined if no chunk is waiting. */
  async #claimNow(): Promise<Claim | undefined> {
    const given = { leaseMs: this.#store.limits.leaseMs, nonce: randomUUID() };
    const claim = claimOf(this.#store.sealing, await this.#store.scripts.run(CLAIM, given));
    if (claim) this.#store.stirred.notify();
    return claim;
  }

  async renew(claims: readonly Claim[]): Promise<readonly boolean[]> {
    if (claims.length === 0) return [];
    const given = { leases: claims.map(({ lease }) => lease), leaseMs: this.#store.limits.leaseMs };
    return (await this.#store.scripts.words(RENEW, given)).map((answer) => answer === '1');
  }

  async commit({ chunk, lease }: Claim, result: ChunkResult, spentMs?: number): Promise<CommitAnswer> {
    const [answer, ended] = await this.#store.scripts.words(COMMIT, {
      id: chunk.evaluation,
      chunk: chunk.index,
      lease,
      spentMs,
      result: {
        packed: packResult(this.#store.sealing, result),
        judgedMs: result.tally.phases.total,
        bytes: resultBytes(result),
        celCharge: result.celCharge,
        tally: tallyFields(result.tally),
        ttlMs: this.#store.limits.retentionMs,
      },
    });
    // Sent again after a lost reply, the commit that ended an evaluation is told so, too.
    if (ended === 'complete' || ended === 'tooLarge') this.#store.ended.notify({ id: chunk.evaluation, end: ended });
    return answer as CommitAnswer;
  }

  async release({ lease }: Claim): Promise<void> {
    if ((await this.#store.scripts.word(RELEASE, { lease })) === 'released') await this.#wakeUps.add();
  }

  async depth(): Promise<Depth> {
    const { redis, keys, gate } = this.#store;
    const ask = () =>
      Promise.all([
        redis.hgetall(keys.waitingChunks),
        redis.hgetall(keys.running),
        redis.hget(keys.waitingBytes, ''),
        redis.hget(keys.resultBytes, ''),
        redis.zcard(keys.leases),
        this.countSeats(),
      ]);
    const [chunks, running, bytes, results, claimed] = await gate.whileAnswering(() => this.#store.scripts.repairing(ask));
    return {
      waiting: Number(chunks[''] ?? 0),
      claimed,
      waitingBytes: Number(bytes ?? 0),
      resultBytes: Number(results ?? 0),
      seats: this.#seats,
      levels: byLevel((level) => ({ waiting: Number(chunks[level] ?? 0), claimed: Number(running[level] ?? 0) })),
    };
  }

  /** Reports that the consumers of this process live. The next report must follow within `withinMs` milliseconds. */
  async stay(withinMs: number): Promise<void> {
    for (const consumer of this.#consumers) await this.#join(consumer, withinMs + this.#store.limits.leaseMs);
    await this.countSeats();
  }

  /** Takes back expired leases, and wakes consumers if chunks are waiting. */
  async keepUp(): Promise<void> {
    await this.#expireLeases(false);
  }

  /** Takes back every claimed chunk, even if its lease has not expired. Operators use it after an accident, and tests use it. */
  async expireLeases(): Promise<void> {
    await this.#expireLeases(true);
  }

  async #expireLeases(all: boolean): Promise<void> {
    this.#waiting = Number(await this.#store.scripts.word(EXPIRE_LEASES, { all }));
    if (this.#waiting > 0) await this.#wakeUps.add(Math.min(this.#waiting, this.#wakeUpsWanted));
  }

  /**
   * Wakes consumers for the chunks of a script that was sent immediately before. The wake-ups are sent without waiting for the script's
   * response, because Redis executes the commands of one connection in order.
   */
  async #waking(chunks: number, reply: Promise<readonly string[]>): Promise<readonly string[]> {
    const woken = this.#waiting < this.#wakeUpsWanted && chunks > 0 ? this.#wakeUps.add(chunks) : undefined;
    const [answer] = await Promise.all([reply, woken]);
    return answer;
  }

  /** Returns the arguments of the Lua script `accept`. */
  #acceptance(record: EvaluationRecord): AcceptArguments {
    const { evaluations, waitingBytes, resultBytes: results, retentionMs } = this.#store.limits;
    const { limits } = record.flow;
    const { definitions, deadlineAt } = record.settings;
    const leftMs = Math.max(0, deadlineAt - steadyNow());
    const ttlMs = Math.min(leftMs, retentionMs) + retentionMs;
    return {
      id: record.id,
      evaluation: {
        record: packRecord(this.#store.sealing, record),
        born: randomUUID(),
        queueKey: queueKeyOf(record),
        ttlMs: Math.round(ttlMs),
        retentionMs,
        leftMs,
        itemMs: record.itemMs,
        definition: definitions.length === 1 ? definitions[0]?.digest : undefined,
      },
      limits: {
        evaluations,
        bytes: waitingBytes,
        results,
        flowEvaluations: limits.evaluations,
        flowChunks: limits.chunks,
        flowBytes: limits.bytes,
        flowResults: limits.resultBytes,
      },
    };
  }

  /** Time in ms after which stored chunks expire. It must be longer than the life of their evaluation. */
  get #ttlMs(): number {
    return 2 * this.#store.limits.retentionMs;
  }

  /** Maximum number of useful wake-ups. If more chunks wait, every consumer is busy and claims the next chunk without a wake-up. */
  get #wakeUpsWanted(): number {
    return Math.max(8, 2 * Math.ceil(this.#seats));
  }

  /** Tells other processes to count the seats. */
  async #announceConsumers(): Promise<void> {
    const { redis, keys } = this.#store;
    await redis.publish(keys.changes, ALL_CONSUMERS);
  }

  async #join(consumer: Consumer, ms: number): Promise<void> {
    const { name, seats, free } = consumer;
    consumer.reportedFree = Math.min(seats, Math.max(0, free()));
    await this.#store.scripts.run(JOIN, { consumers: [name], seats, free: consumer.reportedFree, ms, form: REDIS_FORM });
  }

  /**
   * Checks if the free seats of a consumer changed by at least {@link NEWS_SEATS} since the last report. Such a change ends the idle
   * interval, so that the next heartbeat reports it to other processes.
   */
  #watch({ free, reportedFree }: Consumer): void {
    if (Math.abs(free() - reportedFree) >= NEWS_SEATS) this.#store.stirred.notify();
  }

  /**
   * Performs {@link submit} as a sequence of scripts: accepts the evaluation, queues each chunk, and seals the evaluation. Used if one script
   * would block the server for long. If a chunk is refused, deletes the evaluation, and returns the refusal.
   */
  async #submitStepwise(record: EvaluationRecord, chunks: readonly (readonly DocumentSlice[])[]): Promise<'accepted' | 'exists' | Refusal> {
    const accepted = await this.accept(record);
    if (accepted !== 'accepted') return accepted;
    const forget = (): Promise<unknown> => this.#store.scripts.run(FORGET, { id: record.id });
    try {
      let firstItem = 0;
      for (const items of chunks) {
        const queued = await this.enqueue(record.id, firstItem, items);
        if (isRefusal(queued)) {
          await forget();
          return queued;
        }
        // The evaluation ended meanwhile: its reader learns that, and the remaining chunks need not be sent.
        if (queued === 'over') return 'accepted';
        firstItem += items.length;
      }
      await this.seal(record.id);
      return 'accepted';
    } catch (error) {
      // The client gets an error and will not cancel: the part that was sent is ended here.
      await forget().catch(() => undefined);
      throw error;
    }
  }

  /** Reads the numbers of seats (engine threads) that all consumers have reported. */
  async countSeats(): Promise<void> {
    const { redis, keys } = this.#store;
    const [seats, free] = await Promise.all([redis.hgetall(keys.seats), redis.hgetall(keys.freeSeats)]);
    this.#seats = sumOf(Object.values(seats));
    for (const { name } of this.#consumers) {
      delete free[name];
      delete seats[name];
    }
    this.#seatsElsewhere = Object.values(seats).map(Number);
    this.#freeElsewhere = sumOf(Object.values(free));
  }

  /** Returns the arguments of the Lua script `enqueue`. */
  #packedItems(firstItem: number, items: readonly DocumentSlice[]): ChunkArguments {
    return { firstItem, items: items.length, bytes: chunkBytes(items), body: packChunk(this.#store.sealing, firstItem, items) };
  }
}

const sumOf = (numbers: readonly string[]): number => numbers.reduce((sum, one) => sum + Number(one), 0);
