import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { randomUUID } from 'node:crypto';
import { deserialize, serialize } from 'node:v8';
import { chunkBytes, emptyTally } from '#evaluation';
import type { Chunk, ChunkResult, DefinitionText, DocumentSlice, Tally } from '#evaluation';
import { DEFAULT_QUEUE_LIMITS } from '../limits.ts';
import type { QueueLimits } from '../limits.ts';
import type {
  CancellationChannel,
  Claim,
  DefinitionStore,
  EvaluationRecord,
  Progress,
  QueueAdapter,
  ResultStore,
  WorkQueue,
} from '../ports.ts';
import { Keys } from './keys.ts';
import { ACCEPT, CANCEL, CLAIM, COMMIT, ENQUEUE, RELEASE, SEAL } from './scripts.ts';

/** A claimed chunk is given to somebody else when nothing was heard of it for so long, ms. */
const LEASE_MS = 120_000;
/** Expired leases are looked for this often, ms. */
const SWEEP_MS = 5000;
/** Readers look at the state themselves this often, in case a message was lost, ms. */
const POLL_MS = 500;
const TALLY_COUNTS = ['items', 'accepted', 'rejected', 'notEvaluated', 'cancelled', 'warnings', 'celCost'] as const;
const TALLY_PHASES = ['parse', 'schema', 'cel', 'total'] as const;

/** A chunk as it lies in Redis: what all chunks of an evaluation share lies in its record. */
interface PackedChunk {
  readonly firstItem: number;
  readonly items: readonly { readonly bytes: Uint8Array; readonly notation: DocumentSlice['notation'] }[];
}

/**
 * All ports over Redis. BullMQ's jobs are anonymous tokens, each saying "there is a chunk somewhere": it wakes one consumer in some process.
 * Which chunk that runs, turns, leases and results are scripts of ours, because BullMQ fails a job at its second stall and cannot drop the
 * chunks of one evaluation in one step.
 */
export class RedisQueue implements WorkQueue, ResultStore, CancellationChannel, DefinitionStore, QueueAdapter {
  readonly work: WorkQueue = this;
  readonly results: ResultStore = this;
  readonly cancellations: CancellationChannel = this;
  readonly definitions: DefinitionStore = this;
  readonly #keys: Keys;
  readonly #limits: QueueLimits;
  readonly #redis: Redis;
  readonly #subscriber: Redis;
  readonly #tokens: Queue;
  readonly #taker: Worker;
  readonly #cancelListeners = new Set<(id: string) => void>();
  readonly #changeListeners = new Map<string, Set<() => void>>();
  readonly #sweeping: NodeJS.Timeout;

  constructor(url: string, namespace = 'assay', limits: QueueLimits = DEFAULT_QUEUE_LIMITS) {
    this.#keys = new Keys(namespace);
    this.#limits = limits;
    this.#redis = new Redis(url, { maxRetriesPerRequest: 20 });
    this.#subscriber = new Redis(url, { maxRetriesPerRequest: null });
    const connection = (): Redis => new Redis(url, { maxRetriesPerRequest: null });
    this.#tokens = new Queue('chunks', { connection: connection(), prefix: this.#keys.bullmq });
    this.#taker = new Worker('chunks', null, { connection: connection(), prefix: this.#keys.bullmq, drainDelay: 1, autorun: false });
    // Both report lost connections as errors; ioredis reconnects, and readiness tells whether the queue answers.
    for (const redis of [this.#redis, this.#subscriber]) redis.on('error', () => undefined);
    this.#tokens.on('error', () => undefined);
    this.#taker.on('error', () => undefined);
    this.#subscriber.on('message', (channel: string, id: string) => this.#hear(channel, id));
    void this.#subscriber.subscribe(this.#keys.changes, this.#keys.cancellations).catch(() => undefined);
    this.#sweeping = setInterval(() => void this.#sweep().catch(() => undefined), SWEEP_MS).unref();
  }

  async accept(record: EvaluationRecord): Promise<'accepted' | 'exists' | 'full'> {
    const { evaluations, waitingBytes } = this.#limits;
    const keys = [this.#keys.evaluation(record.id), this.#keys.living, this.#keys.waitingBytes];
    return (await this.#run(ACCEPT, keys, [record.id, serialize(record), evaluations, waitingBytes, this.#ttl(record)])) as
      'accepted' | 'exists' | 'full';
  }

  async enqueue(id: string, firstItem: number, items: readonly DocumentSlice[]): Promise<'queued' | 'over' | 'full'> {
    const packed: PackedChunk = { firstItem, items: items.map(({ bytes, notation }) => ({ bytes, notation })) };
    const { evaluation, waiting, bodies } = this.#of(id);
    const keys = [evaluation, waiting, bodies, this.#keys.ready, this.#keys.waitingBytes];
    const answer = await this.#run(ENQUEUE, keys, [
      id,
      serialize(packed),
      chunkBytes(items),
      this.#limits.waitingBytes,
      2 * this.#limits.retentionMs,
    ]);
    if (answer === 'queued') await this.#wakeOne();
    return answer as 'queued' | 'over' | 'full';
  }

  async seal(id: string): Promise<void> {
    await this.#run(SEAL, [this.#keys.evaluation(id), this.#keys.living], [id]);
    await this.#redis.publish(this.#keys.changes, id);
  }

  async claim(signal: AbortSignal): Promise<Claim | undefined> {
    while (!signal.aborted) {
      const claim = await this.#take();
      if (claim) return claim;
      await this.#awaitToken(signal);
    }
    return undefined;
  }

  async commit({ chunk, earlierClaims }: Claim, result: ChunkResult): Promise<'stored' | 'duplicate' | 'gone'> {
    const id = chunk.evaluation;
    const { evaluation, results, bodies } = this.#of(id);
    const tally = [
      ...TALLY_COUNTS.flatMap((count) => [`n:${count}`, result.tally[count]]),
      ...TALLY_PHASES.flatMap((phase) => (result.tally.phases[phase] === undefined ? [] : [`p:${phase}`, result.tally.phases[phase]])),
    ];
    const lease = leaseOf(chunk, earlierClaims);
    const keys = [evaluation, results, bodies, this.#keys.leases, this.#keys.living];
    const answer = await this.#run(COMMIT, keys, [id, chunk.index, serialize(result), lease, this.#limits.retentionMs, ...tally]);
    if (answer === 'stored') await this.#redis.publish(this.#keys.changes, id);
    return answer as 'stored' | 'duplicate' | 'gone';
  }

  async release({ chunk, earlierClaims }: Claim): Promise<void> {
    await this.#giveBack(leaseOf(chunk, earlierClaims));
  }

  async depth(): Promise<{ waiting: number; claimed: number; waitingBytes: number }> {
    const ids = await this.#redis.lrange(this.#keys.ready, 0, -1);
    const lengths = await Promise.all(ids.map((id) => this.#redis.llen(this.#keys.waiting(id))));
    const [claimed, bytes] = await Promise.all([this.#redis.zcard(this.#keys.leases), this.#redis.get(this.#keys.waitingBytes)]);
    return { waiting: lengths.reduce((sum, length) => sum + length, 0), claimed, waitingBytes: Number(bytes ?? 0) };
  }

  async record(id: string): Promise<EvaluationRecord | undefined> {
    const bytes = await this.#redis.hgetBuffer(this.#keys.evaluation(id), 'record');
    return bytes ? (deserialize(bytes) as EvaluationRecord) : undefined;
  }

  async progress(id: string): Promise<Progress | undefined> {
    const fields = await this.#redis.hgetall(this.#keys.evaluation(id));
    if (fields['total'] === undefined) return undefined;
    const [done, total] = [Number(fields['done']), Number(fields['total'])];
    const phase = fields['cancelled'] ? 'cancelled' : !fields['sealed'] ? 'receiving' : done === total ? 'complete' : 'running';
    return { phase, chunksDone: done, chunksTotal: total, tally: tallyOf(fields) };
  }

  async result(id: string, chunk: number, signal?: AbortSignal): Promise<ChunkResult | undefined> {
    for (;;) {
      // Listening begins before looking, so that no change falls between.
      const changed = this.#nextChange(id, signal);
      const bytes = await this.#redis.hgetBuffer(this.#keys.results(id), String(chunk));
      if (bytes) return deserialize(bytes) as ChunkResult;
      const progress = await this.progress(id);
      const never =
        !progress ||
        progress.phase === 'cancelled' ||
        (progress.phase !== 'receiving' && chunk >= progress.chunksTotal) ||
        progress.phase === 'complete';
      if (never || signal?.aborted) return undefined;
      await changed;
    }
  }

  changed(id: string, signal: AbortSignal): Promise<void> {
    return this.#nextChange(id, signal);
  }

  async discard(id: string, chunk: number): Promise<void> {
    // The field stays, so that a late second result is still known as one.
    await this.#redis.hset(this.#keys.results(id), String(chunk), '');
  }

  async forget(id: string): Promise<void> {
    await this.#run(CANCEL, this.#cancelKeys(id), [id]);
    const { evaluation, waiting, bodies, results } = this.#of(id);
    await this.#redis.del(evaluation, waiting, bodies, results);
    await this.#redis.publish(this.#keys.changes, id);
  }

  async cancel(id: string): Promise<boolean> {
    if ((await this.#run(CANCEL, this.#cancelKeys(id), [id])) !== 'cancelled') return false;
    await this.#redis.publish(this.#keys.cancellations, id);
    await this.#redis.publish(this.#keys.changes, id);
    return true;
  }

  onCancelled(listener: (id: string) => void): () => void {
    this.#cancelListeners.add(listener);
    return () => this.#cancelListeners.delete(listener);
  }

  async put(text: DefinitionText): Promise<void> {
    await this.#redis.set(this.#keys.definition(text.digest), serialize(text), 'PX', 2 * this.#limits.retentionMs);
  }

  async get(digest: string): Promise<DefinitionText | undefined> {
    const bytes = await this.#redis.getBuffer(this.#keys.definition(digest));
    return bytes ? (deserialize(bytes) as DefinitionText) : undefined;
  }

  /** Takes every claimed chunk back, as if all consumers had died long ago. For operators after an accident, and for tests. */
  async expireLeases(): Promise<void> {
    for (const lease of await this.#redis.zrange(this.#keys.leases, '0', '-1')) await this.#giveBack(lease);
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeping);
    for (const listeners of this.#changeListeners.values()) for (const wake of listeners) wake();
    await Promise.allSettled([this.#taker.close(true), this.#tokens.close()]);
    for (const redis of [this.#redis, this.#subscriber]) redis.disconnect();
    for (const client of [this.#taker, this.#tokens]) await client.disconnect().catch(() => undefined);
  }

  async #take(): Promise<Claim | undefined> {
    const prefixes = [this.#keys.waiting(''), this.#keys.bodies(''), this.#keys.evaluation('')];
    const found = await this.#runForBytes(
      CLAIM,
      [this.#keys.ready, this.#keys.leases, this.#keys.waitingBytes],
      [Date.now() + LEASE_MS, ...prefixes],
    );
    if (!Array.isArray(found)) return undefined;
    const [id, index, claims, body] = found as Buffer[];
    if (!id || !index || !claims || !body) return undefined;
    const record = await this.record(id.toString());
    if (!record) return undefined;
    const { firstItem, items } = deserialize(body) as PackedChunk;
    const chunk: Chunk = { evaluation: record.id, index: Number(index), firstItem, items, settings: record.settings };
    return { chunk, earlierClaims: Number(claims) };
  }

  /** Waits for a token of BullMQ's, a second at most, and takes it: it has done its work by coming. */
  async #awaitToken(signal: AbortSignal): Promise<void> {
    const token = randomUUID();
    const taken = this.#taker.getNextJob(token).then(async (job) => {
      await job?.moveToCompleted(undefined, token, false);
    });
    const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    await Promise.race([taken.catch(() => new Promise<void>((resolve) => setTimeout(resolve, POLL_MS))), aborted]);
  }

  /** One more token. Losing or doubling one changes nothing: a consumer that finds no chunk waits on. */
  async #wakeOne(): Promise<void> {
    await this.#tokens.add('chunk', {}, { jobId: `t-${randomUUID()}`, removeOnComplete: true, removeOnFail: true });
  }

  /** Gives chunks whose consumer was not heard of back to the line. */
  async #sweep(): Promise<void> {
    for (const lease of await this.#redis.zrangebyscore(this.#keys.leases, 0, Date.now())) await this.#giveBack(lease);
    const { waiting } = await this.depth();
    if (waiting > 0) await this.#wakeOne();
  }

  async #giveBack(lease: string): Promise<void> {
    const [index, claims, bytes, id] = lease.split('|');
    if (index === undefined || claims === undefined || bytes === undefined || id === undefined) return;
    const { evaluation, waiting } = this.#of(id);
    const keys = [evaluation, waiting, this.#keys.ready, this.#keys.leases, this.#keys.waitingBytes];
    if ((await this.#run(RELEASE, keys, [id, index, Number(claims) + 1, bytes, lease])) === 'released') await this.#wakeOne();
  }

  #hear(channel: string, id: string): void {
    if (channel === this.#keys.cancellations) for (const listener of this.#cancelListeners) listener(id);
    else for (const wake of this.#changeListeners.get(id) ?? []) wake();
  }

  #nextChange(id: string, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const listeners = this.#changeListeners.get(id) ?? new Set();
      this.#changeListeners.set(id, listeners);
      const wake = (): void => {
        clearTimeout(timer);
        listeners.delete(wake);
        if (listeners.size === 0) this.#changeListeners.delete(id);
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      const timer = setTimeout(wake, POLL_MS);
      listeners.add(wake);
      if (signal?.aborted) wake();
      else signal?.addEventListener('abort', wake, { once: true });
    });
  }

  #of(id: string): { evaluation: string; waiting: string; bodies: string; results: string } {
    return {
      evaluation: this.#keys.evaluation(id),
      waiting: this.#keys.waiting(id),
      bodies: this.#keys.bodies(id),
      results: this.#keys.results(id),
    };
  }

  #cancelKeys(id: string): string[] {
    const { evaluation, waiting, bodies } = this.#of(id);
    return [evaluation, waiting, bodies, this.#keys.living, this.#keys.waitingBytes, this.#keys.ready];
  }

  #ttl({ settings }: EvaluationRecord): number {
    return Math.max(0, Math.min(settings.deadlineAt - Date.now(), this.#limits.retentionMs)) + this.#limits.retentionMs;
  }

  #run(script: string, keys: readonly string[], args: readonly (string | number | Buffer)[]): Promise<unknown> {
    return this.#redis.eval(script, keys.length, ...keys, ...args);
  }

  #runForBytes(script: string, keys: readonly string[], args: readonly (string | number | Buffer)[]): Promise<unknown> {
    return this.#redis.callBuffer(
      'EVAL',
      script,
      String(keys.length),
      ...keys,
      ...args.map((arg) => (typeof arg === 'number' ? String(arg) : arg)),
    );
  }
}

/** A lease names its chunk, how often it was claimed before, its bytes, and its evaluation. */
function leaseOf(chunk: Chunk, earlierClaims: number): string {
  return `${chunk.index}|${earlierClaims}|${chunkBytes(chunk.items)}|${chunk.evaluation}`;
}

function tallyOf(fields: Readonly<Record<string, string>>): Tally {
  const tally = emptyTally();
  for (const count of TALLY_COUNTS) tally[count] = Number(fields[`n:${count}`] ?? 0);
  for (const phase of TALLY_PHASES) if (fields[`p:${phase}`] !== undefined) tally.phases[phase] = Number(fields[`p:${phase}`]);
  return tally;
}
