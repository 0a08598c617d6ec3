import { Redis } from 'ioredis';
import { randomUUID } from 'node:crypto';
import { deserialize, serialize } from 'node:v8';
import { chunkBytes } from '#evaluation';
import type { ChunkResult, DefinitionText, DocumentSlice } from '#evaluation';
import { meanPrice } from '../../../flow/chunk-cost.ts';
import type { Refusal } from '../../../flow/flow-load.ts';
import { placeOf } from '../../../flow/flow.ts';
import { byLevel } from '../../../flow/level.ts';
import { DEFAULT_QUEUE_LIMITS } from '../../../limits.ts';
import type { QueueLimits } from '../../../limits.ts';
import type {
  CancellationChannel,
  Claim,
  DefinitionStore,
  Depth,
  DetachedEnd,
  EvaluationEnds,
  EvaluationRecord,
  Progress,
  QueueAdapter,
  ResultStore,
  WorkQueue,
} from '../../../ports.ts';
import { submitStepwise } from '../../../submit-stepwise.ts';
import type { Job } from 'bullmq';
import { Announcements } from '../../announcements.ts';
import { ChunkJobs } from './chunk-jobs.ts';
import type { ChunkJobData } from './chunk-jobs.ts';
import { Keys } from '../../keys.ts';
import {
  unpackChunk,
  packChunk,
  packDefinition,
  packResult,
  PROGRESS_FIELDS,
  progressOf,
  tallyFields,
  unpackDefinition,
  unpackResult,
} from '../../packing.ts';
import { RecentTexts } from '../../recent-texts.ts';
import { ScriptRunner } from '../../run-script.ts';
import type { ScriptArgument } from '../../run-script.ts';
import { ACCEPT, ENQUEUE, SEAL, SUBMIT } from './accept.ts';
import { ATTEND } from './attend.ts';
import { JOIN, LIVING, TAKE } from './claim.ts';
import { CANCEL, COMMIT, DISCARD, FORGET, RELEASE } from './finish.ts';
import { AUDIT, RECLAIM } from './sweep.ts';

/** An evaluation this long past its deadline is cancelled by the audit, ms: whoever ran its chunks had time to answer. */
const DEADLINE_GRACE_MS = 10_000;
/** Chunks that are accepted with their evaluation in one script: up to some 4 MiB, so that none holds the server for long. */
const CHUNKS_A_STEP = 8;
/** Definition texts kept in memory, bytes. */
const RECENT_TEXT_BYTES = 16 * 1024 * 1024;
/** Where nobody audited for so long, ms, the server was away, or all processes stood still. */
const STOOD_STILL_MS = 3 * 1000;

/**
 * All ports over Redis. BullMQ's tokens wake consumers; turns, leases, results and limits are scripts of ours, each one atomic step that may be
 * sent twice. Leases and deadlines run on the server's clock.
 */
export class RightsQueue implements WorkQueue, ResultStore, CancellationChannel, EvaluationEnds, DefinitionStore, QueueAdapter {
  readonly work: WorkQueue = this;
  readonly results: ResultStore = this;
  readonly cancellations: CancellationChannel = this;
  readonly ends: EvaluationEnds = this;
  readonly definitions: DefinitionStore = this;
  readonly #keys: Keys;
  readonly #limits: QueueLimits;
  readonly #redis: Redis;
  readonly #scripts: ScriptRunner;
  readonly #jobs: ChunkJobs;
  readonly #held = new Map<string, { readonly job: Job<ChunkJobData>; readonly token: string }>();
  readonly #announcements: Announcements;
  readonly #consumers = new Set<string>();
  readonly #endListeners = new Set<(end: DetachedEnd) => void>();
  /** This process, as the one that attends to evaluations that clients wait for; from the first one on. */
  readonly #attendant = randomUUID();
  #attends = false;
  readonly #tending: NodeJS.Timeout;
  /** Definitions that chunks of late were judged by; a digest says all of a text, so what is here is never stale. */
  readonly #texts = new RecentTexts(RECENT_TEXT_BYTES);
  /** Of all consumers, as counted last. */
  #seats = 0;

  constructor(url: string, namespace = 'assay', limits: QueueLimits = DEFAULT_QUEUE_LIMITS) {
    this.#keys = new Keys(namespace);
    this.#limits = limits;
    this.#redis = new Redis(url, { maxRetriesPerRequest: null });
    // Lost connections are reported as errors; ioredis reconnects, and readiness tells whether the queue answers.
    this.#redis.on('error', () => undefined);
    this.#scripts = new ScriptRunner(this.#redis, this.#keys.prefix);
    this.#jobs = new ChunkJobs(this.#redis, this.#keys.bullmq, limits.leaseMs, limits.heartbeatMs, limits.retentionMs);
    this.#announcements = new Announcements(url, this.#keys);
    this.#tending = setInterval(() => void this.#tend().catch(() => undefined), this.#limits.heartbeatMs).unref();
  }

  async accept(record: EvaluationRecord): Promise<'accepted' | 'exists' | Refusal> {
    return (await this.#scripts.word(ACCEPT, this.#acceptance(record))) as 'accepted' | 'exists' | Refusal;
  }

  async enqueue(id: string, firstItem: number, items: readonly DocumentSlice[]): Promise<'queued' | 'over' | Refusal> {
    const chunk = [...chunkFields(firstItem, items), this.#ttl, this.#limits.waitingBytes];
    const added = this.#jobs.add(1);
    const answer = await this.#scripts.word(ENQUEUE, [id, ...chunk]);
    await added;
    return Number.isNaN(Number(answer)) ? (answer as 'over' | Refusal) : 'queued';
  }

  async seal(id: string): Promise<void> {
    if ((await this.#scripts.word(SEAL, [id])) === 'complete') this.#tell('complete', 1);
    await this.#redis.publish(this.#keys.changes, id);
  }

  async submit(record: EvaluationRecord, chunks: readonly (readonly DocumentSlice[])[]): Promise<'accepted' | 'exists' | Refusal> {
    if (chunks.length > CHUNKS_A_STEP) return submitStepwise(this, record, chunks, (id) => this.forget(id));
    let firstItem = 0;
    const fields = chunks.flatMap((items) => {
      firstItem += items.length;
      return chunkFields(firstItem - items.length, items);
    });
    const added = chunks.length > 0 ? this.#jobs.add(chunks.length) : undefined;
    const answer = await this.#scripts.word(SUBMIT, [...this.#acceptance(record), this.#ttl, ...fields]);
    await added;
    if (answer === 'complete') this.#tell('complete', 1);
    return !Number.isNaN(Number(answer)) || answer === 'complete' ? 'accepted' : (answer as 'exists' | Refusal);
  }

  /** What `ACCEPT` is told of an evaluation. */
  #acceptance(record: EvaluationRecord): ScriptArgument[] {
    const { evaluations, waitingBytes, retentionMs } = this.#limits;
    const { limits } = record.flow;
    const { definitions, deadlineAt } = record.settings;
    const digests = definitions.map(({ digest }) => digest);
    const only = digests.length === 1 ? (digests[0] ?? '') : '';
    const ttl = Math.max(0, Math.min(deadlineAt - Date.now(), retentionMs)) + retentionMs;
    const fixed = [record.id, serialize(record), placeText(record), ttl, deadlineAt, record.itemMs, only];
    if (!record.detached) this.#attends = true;
    const attendance = [record.detached ? '' : this.#attendant, this.#limits.servingMs];
    return [...fixed, evaluations, waitingBytes, limits.evaluations, limits.chunks, limits.bytes, ...attendance];
  }

  /** Of chunks and definitions, which nobody must miss while their evaluation lives, ms. */
  get #ttl(): number {
    return 2 * this.#limits.retentionMs;
  }

  async expectedItemMs(digests: readonly string[]): Promise<number> {
    const prices = digests.length === 0 ? [] : await this.#redis.mget(...digests.map((digest) => this.#keys.price(digest)));
    return meanPrice(prices.filter((price) => price !== null).map(Number));
  }

  async join(seats: number): Promise<() => Promise<void>> {
    const consumer = `${randomUUID()}|${seats}`;
    this.#consumers.add(consumer);
    await this.#scripts.run(JOIN, [this.#limits.leaseMs, consumer]);
    return async () => {
      this.#consumers.delete(consumer);
      await this.#scripts.run(JOIN, [0, consumer]);
    };
  }

  async claim(signal: AbortSignal): Promise<Claim | undefined> {
    while (!signal.aborted) {
      const token = randomUUID();
      const job = await this.#jobs.wait(token, signal);
      const claim = job && (await this.#bind(job, token));
      if (claim) return claim;
    }
    return undefined;
  }

  async #bind(job: Job<ChunkJobData>, token: string): Promise<Claim | undefined> {
    const answer = (await this.#scripts.run(TAKE, [job.id ?? '', token])) as Buffer[] | null;
    if (!answer) {
      await this.#jobs.complete(job, token, { surplus: true });
      return undefined;
    }
    const [index, claims, cost, level, body, recordBytes, celSpent, waitedMs] = answer;
    if (!body || !recordBytes) return undefined;
    const lease = `${job.id}|${token}`;
    this.#held.set(lease, { job, token });
    return {
      chunk: unpackChunk(Number(index), body, recordBytes),
      earlierClaims: Number(claims),
      lease,
      level: String(level) as Claim['level'],
      waitedMs: Number(waitedMs),
      celSpent: Number(celSpent),
      expectedMs: Number(cost),
    };
  }

  async renew(claims: readonly Claim[]): Promise<readonly boolean[]> {
    if (claims.length === 0) return [];
    const held = claims.map(({ lease }) => lease.split('|') as [string, string]);
    const extended = this.#jobs.renew(
      held.map(([id]) => id),
      held.map(([, token]) => token),
      this.#limits.leaseMs,
    );
    const answers = (await this.#scripts.run(
      LIVING,
      claims.map(({ lease }) => lease),
    )) as number[];
    await extended;
    return answers.map((answer) => answer === 1);
  }

  async commit({ chunk, lease }: Claim, result: ChunkResult, spentMs?: number): Promise<'stored' | 'duplicate' | 'gone'> {
    const times = [spentMs ?? '', result.tally.phases.total ?? ''];
    const what = [chunk.evaluation, chunk.index, lease, ...times, packResult(result), result.celCharge, this.#limits.retentionMs];
    const committed = this.#scripts.word(COMMIT, [...what, ...tallyFields(result.tally)]);
    const held = this.#held.get(lease);
    this.#held.delete(lease);
    const { items, accepted, rejected } = result.tally;
    const completed = this.#jobs.complete(held?.job, held?.token ?? '', { items, accepted, rejected, spentMs });
    const answer = (await committed) as 'stored' | 'complete' | 'duplicate' | 'gone';
    await completed;
    if (answer !== 'complete') return answer;
    this.#tell('complete', 1);
    return 'stored';
  }

  async release({ lease }: Claim): Promise<void> {
    const held = this.#held.get(lease);
    this.#held.delete(lease);
    const back = this.#jobs.giveBack(held?.job, held?.token ?? '');
    await this.#scripts.word(RELEASE, [lease]);
    await back;
  }

  async depth(): Promise<Depth> {
    const [chunks, running, bytes, claimed] = await Promise.all([
      this.#redis.hgetall(this.#keys.waitingChunks),
      this.#redis.hgetall(this.#keys.running),
      this.#redis.hget(this.#keys.waitingBytes, ''),
      this.#redis.hlen(`${this.#keys.prefix}:claims`),
    ]);
    await this.#countSeats();
    return {
      waiting: Number(chunks[''] ?? 0),
      claimed,
      waitingBytes: Number(bytes ?? 0),
      seats: this.#seats,
      levels: byLevel((level) => ({ waiting: Number(chunks[level] ?? 0), claimed: Number(running[level] ?? 0) })),
    };
  }

  async record(id: string): Promise<EvaluationRecord | undefined> {
    const bytes = await this.#redis.hgetBuffer(this.#keys.evaluation(id), 'record');
    return bytes ? (deserialize(bytes) as EvaluationRecord) : undefined;
  }

  async progress(id: string): Promise<Progress | undefined> {
    const values = await this.#redis.hmget(this.#keys.evaluation(id), ...PROGRESS_FIELDS);
    return progressOf(Object.fromEntries(PROGRESS_FIELDS.flatMap((field, i) => (values[i] == null ? [] : [[field, values[i]]]))));
  }

  async result(id: string, chunk: number, signal?: AbortSignal): Promise<ChunkResult | undefined> {
    for (;;) {
      // Listening begins before looking, so that no change falls between.
      const changed = this.#announcements.nextChange(id, signal);
      // Progress first, executed in this order: a result that is committed between the two is found, and not missed where the progress says
      // that all are there.
      const [progress, bytes] = await Promise.all([this.progress(id), this.#redis.hgetBuffer(this.#keys.results(id), String(chunk))]);
      if (bytes && bytes.length > 0) return unpackResult(bytes);
      const over = !progress || progress.phase === 'cancelled' || progress.phase === 'failed' || progress.phase === 'complete';
      if (over || (progress.phase !== 'receiving' && chunk >= progress.chunksTotal) || signal?.aborted) return undefined;
      await changed;
    }
  }

  changed(id: string, signal: AbortSignal): Promise<void> {
    return this.#announcements.nextChange(id, signal);
  }

  async discard(id: string, chunk: number): Promise<void> {
    await this.#scripts.run(DISCARD, [id, chunk]);
  }

  async forget(id: string): Promise<void> {
    await this.#scripts.run(FORGET, [id]);
  }

  async cancel(id: string): Promise<boolean> {
    return (await this.#scripts.word(CANCEL, [id])) === 'cancelled';
  }

  onCancelled(listener: (id: string) => void): () => void {
    return this.#announcements.onCancelled(listener);
  }

  onEnded(listener: (end: DetachedEnd) => void): () => void {
    this.#endListeners.add(listener);
    return () => this.#endListeners.delete(listener);
  }

  async put(text: DefinitionText): Promise<void> {
    const key = this.#keys.definition(text.digest);
    // Most definitions come again and again; their texts are sent once.
    if ((await this.#redis.pexpire(key, this.#ttl)) === 0) await this.#redis.set(key, packDefinition(text), 'PX', this.#ttl);
  }

  async get(digest: string): Promise<DefinitionText | undefined> {
    const known = this.#texts.get(digest);
    if (known) return known;
    const bytes = await this.#redis.getBuffer(this.#keys.definition(digest));
    if (!bytes) return undefined;
    const text = unpackDefinition(bytes);
    this.#texts.set(digest, text);
    return text;
  }

  /** For tests: the locks are gone, as if all consumers had died long ago. */
  async expireLeases(): Promise<void> {
    const locks = await this.#redis.keys(`${this.#keys.bullmq}:chunks:*:lock`);
    if (locks.length > 0) await this.#redis.del(locks);
    for (let i = 0; i < 30; i++) {
      if ((await this.#redis.llen(`${this.#keys.bullmq}:chunks:active`)) === 0) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#tending);
    // Others need not wait to find out. Where the server does not answer, they have to.
    if (this.#attends && this.#redis.status === 'ready') void this.#attend(0).catch(() => undefined);
    this.#announcements.close();
    await this.#jobs.close();
    this.#redis.disconnect();
  }

  #tell(end: DetachedEnd, times: number): void {
    for (let i = 0; i < times; i++) for (const listener of this.#endListeners) listener(end);
  }

  async #attend(ms: number): Promise<void> {
    await this.#scripts.run(ATTEND, [this.#attendant, ms]);
  }

  /** Each second: says that this process and its consumers live, takes back what others let go, finds what was lost, and evens the tokens out. */
  async #tend(): Promise<void> {
    if (this.#attends) await this.#attend(this.#limits.servingMs);
    if (this.#consumers.size > 0) await this.#scripts.run(JOIN, [this.#limits.leaseMs, ...this.#consumers]);
    const waiting = Number(await this.#scripts.run(RECLAIM, []));
    const audit = [this.#limits.heartbeatMs - 100, DEADLINE_GRACE_MS, this.#limits.servingMs, STOOD_STILL_MS];
    const [lost = 0, cancelled = 0] = (await this.#scripts.run(AUDIT, audit)) as readonly number[];
    this.#tell('lost', lost);
    this.#tell('cancelled', cancelled);
    await this.#countSeats();
    await this.#jobs.balance(waiting);
  }

  async #countSeats(): Promise<void> {
    const consumers = await this.#redis.zrange(this.#keys.consumers, '0', '-1');
    this.#seats = consumers.reduce((sum, consumer) => sum + Number(consumer.split('|')[1]), 0);
  }
}

/** What `ENQUEUE` is told of a chunk. */
function chunkFields(firstItem: number, items: readonly DocumentSlice[]): ScriptArgument[] {
  return [firstItem, items.length, chunkBytes(items), packChunk(firstItem, items)];
}

/** An evaluation's place as scripts read it. */
function placeText(record: EvaluationRecord): string {
  const { level, flow, division, weight, leaf } = placeOf(record);
  return [level, flow, division, weight, leaf].join('/');
}
