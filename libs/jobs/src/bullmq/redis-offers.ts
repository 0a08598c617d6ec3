import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { steadyNow } from '#documents';
import { backgroundThreads, OFFER_KINDS, packItems, unpackItems } from '#runner';
import type { NewOffer, OfferAnswer, OfferedTask, OfferKind, OfferNews, Offers, OfferSource, OfferState, PackedItems, Work } from '#runner';
import type { DefinitionStore } from '../ports.ts';
import { isDamage } from '../unavailable.ts';
import type { RedisStore } from './redis-store.ts';
import type { RedisSeats } from './redis-seats.ts';
import type { ChunkResult, DefinitionText } from '#documents';
import type { Sealing } from '../at-rest/sealing.ts';
import { packedResult, unpackedResult } from '../life/evaluation-jobs.ts';
import type { PackedResult } from '../life/evaluation-jobs.ts';
import { packStored, unpackStored } from './packing.ts';

type EvaluateWork = Extract<Work, { kind: 'evaluate' }>;

/** Offered task in the form in which Redis stores it. The texts of definitions are stored separately, by digest. */
type PackedTask = Omit<OfferedTask, 'definitions' | 'work'> & { readonly digests: readonly string[] } & (
    | { readonly work: Exclude<Work, EvaluateWork> }
    | { readonly work: Omit<EvaluateWork, 'items'>; readonly items: PackedItems }
  );

/** Task that another process offers, and the digests of the texts to which its work refers. */
type UnpackedTask = Omit<OfferedTask, 'definitions'> & { readonly digests: readonly string[] };

/** Packs and encrypts an offered task for storage in Redis. */
function packTask(sealing: Sealing, task: Omit<OfferedTask, 'definitions'>, definitions: readonly DefinitionText[]): Buffer {
  const { work, ...rest } = task;
  const digests = definitions.map(({ digest }) => digest);
  const packed: PackedTask = work.kind === 'evaluate' ? { ...rest, digests, ...packedRun(work) } : { ...rest, digests, work };
  return packStored(sealing, 'task', packed);
}

/** Returns a task that {@link packTask} packed. Throws {@link UnreadableContent} if other software wrote the bytes. */
function unpackTask(sealing: Sealing, stored: Buffer): UnpackedTask {
  const packed = unpackStored<PackedTask>(sealing, 'task', stored, 'work');
  if (!('items' in packed)) return packed;
  const { items, work, ...rest } = packed;
  return { ...rest, work: { ...work, items: unpackItems(items) } };
}

function packedRun({ items, ...work }: EvaluateWork): { work: Omit<EvaluateWork, 'items'>; items: PackedItems } {
  return { work, items: packItems(items) };
}

/** Packs and encrypts the answer to an offered task for storage in Redis. */
function packAnswer(sealing: Sealing, answer: OfferAnswer): Buffer {
  const packed = answer.kind === 'done' && isRunResult(answer.result) ? { ...answer, result: packedResult(answer.result) } : answer;
  return packStored(sealing, 'answer', packed);
}

/** Returns an answer that {@link packAnswer} packed. Throws {@link UnreadableContent} if other software wrote the bytes. */
function unpackAnswer(sealing: Sealing, stored: Buffer): OfferAnswer {
  const packed = unpackStored<OfferAnswer>(sealing, 'answer', stored, 'kind');
  if (packed.kind !== 'done') return packed;
  const { result }: { readonly result: unknown } = packed;
  return isPackedResult(result) ? { ...packed, result: unpackedResult(result) } : packed;
}

const isRunResult = (result: unknown): result is ChunkResult => typeof result === 'object' && result !== null && 'verdicts' in result;
const isPackedResult = (result: unknown): result is PackedResult => typeof result === 'object' && result !== null && 'text' in result;

/** Time in ms for which an offered task is stored. A process that has room takes it at once. */
const OFFER_MS = 10_000;
/** Time in ms without a sign of life after which a process that took a task, or that waits for it, counts as gone. */
const LEASE_MS = 4000;
/** Interval in ms at which a process gives a sign of life with its offers. */
const SIGN_MS = 1000;
/** Time in ms for which the answer to a task is stored. The process that offered the task fetches it at once. */
const ANSWER_MS = 30_000;

/** Numbers of engine threads of other processes. */
type SeatCounts = Pick<RedisSeats, 'count' | 'freeSeatsElsewhere' | 'seatsElsewhere'>;

type TaskName = Pick<OfferedTask, 'id' | 'kind'>;

/**
 * Offers of tasks over Redis. An offer is a name in a list, and the task under a key. The process that removes the name from the list has
 * taken the task. It then renews a key as a sign of life, and stores its answer under another key. All keys expire. Messages announce
 * offers, taken tasks, and answers. If a message is lost, {@link Offers.readStates} finds out.
 */
export class RedisOffers implements Offers {
  readonly node = `${hostname()}/${process.pid}`;
  readonly #store: RedisStore;
  readonly #seats: SeatCounts;
  readonly #definitions: DefinitionStore;
  #signedAt = -Infinity;

  constructor(store: RedisStore, seats: SeatCounts, definitions: DefinitionStore) {
    this.#store = store;
    this.#seats = seats;
    this.#definitions = definitions;
  }

  newName(): string {
    return `${this.#store.process}/${randomUUID()}`;
  }

  seats(kind: OfferKind): number {
    if (kind === 'runs') return this.#seats.freeSeatsElsewhere();
    return this.#seats.seatsElsewhere().reduce((sum, threads) => sum + backgroundThreads(threads), 0);
  }

  refresh(): Promise<void> {
    return this.#seats.count();
  }

  async offer({ holder, definitions, ...task }: NewOffer): Promise<boolean> {
    const { redis, keys, sealing } = this.#store;
    if (holder !== undefined)
      for (const text of definitions)
        if ((await this.#definitions.put(text, { flow: holder, leftMs: OFFER_MS })) !== undefined) return false;
    const { id, kind } = task;
    const list = this.#list({ kind, origin: this.#store.process });
    const pipeline = redis
      .multi()
      .set(this.#key(id, 'task'), packTask(sealing, task, definitions), 'PX', OFFER_MS)
      .rpush(list, id)
      .pexpire(list, OFFER_MS);
    if (steadyNow() - this.#signedAt >= SIGN_MS) this.#sign(pipeline);
    try {
      await executed(pipeline.publish(keys.offers, `${kind} ${this.#store.process}`));
    } catch (error) {
      // Other software wrote to the key of the list. Deleting the key lets later offers succeed.
      if (isDamage(error)) await redis.del(list);
      throw error;
    }
    return true;
  }

  async withdraw({ id, kind }: TaskName): Promise<boolean> {
    return (await this.#store.redis.lrem(this.#list({ kind, origin: originOf(id) }), 1, id)) === 1;
  }

  async readStates(tasks: readonly TaskName[]): Promise<readonly OfferState[]> {
    const pipeline = this.#sign(this.#store.redis.pipeline());
    for (const { id, kind } of tasks)
      pipeline
        .exists(this.#key(id, 'answer'))
        .exists(this.#key(id, 'lease'))
        .lpos(this.#list({ kind, origin: originOf(id) }), id);
    const [, ...replies] = await executed(pipeline);
    return tasks.map((_, i) => {
      if (replies[3 * i] === 1) return 'answered';
      if (replies[3 * i + 1] === 1) return 'held';
      return typeof replies[3 * i + 2] === 'number' ? 'waiting' : 'lost';
    });
  }

  async fetchAnswer(id: string): Promise<OfferAnswer | undefined> {
    const stored = await this.#store.redis.getdelBuffer(this.#key(id, 'answer'));
    return stored ? unpackAnswer(this.#store.sealing, stored) : undefined;
  }

  async stop(id: string): Promise<void> {
    await this.#store.redis.publish(this.#store.keys.stoppedOffers, id);
  }

  async forget({ id, kind }: TaskName): Promise<void> {
    const { redis, keys } = this.#store;
    const pipeline = redis.pipeline().del(this.#key(id, 'task'), this.#key(id, 'lease'), this.#key(id, 'answer'));
    await executed(pipeline.lrem(this.#list({ kind, origin: originOf(id) }), 1, id).publish(keys.stoppedOffers, id));
  }

  async take(source: OfferSource, most: number): Promise<readonly OfferedTask[]> {
    const { redis } = this.#store;
    const ids = (await redis.lpop(this.#list(source), most)) ?? [];
    if (ids.length === 0) return [];
    const pipeline = redis.multi();
    for (const id of ids)
      pipeline
        .getdelBuffer(this.#key(id, 'task'))
        .set(this.#key(id, 'lease'), this.node, 'PX', LEASE_MS)
        .publish(this.#newsChannel(id), `taken ${id}`);
    const replies = await executed(pipeline);
    const tasks = ids.map((_, i) => this.#unpacked(replies[3 * i]));
    return (await Promise.all(tasks)).filter((task) => task !== undefined);
  }

  async keep(ids: readonly string[]): Promise<readonly boolean[]> {
    const pipeline = this.#store.redis.pipeline();
    for (const id of ids) pipeline.pexpire(this.#key(id, 'lease'), LEASE_MS).exists(this.#signKey(originOf(id)));
    const replies = await executed(pipeline);
    return ids.map((_, i) => replies[2 * i] === 1 && replies[2 * i + 1] === 1);
  }

  async answer(id: string, answer: OfferAnswer): Promise<void> {
    const pipeline = this.#store.redis
      .multi()
      .set(this.#key(id, 'answer'), packAnswer(this.#store.sealing, answer), 'PX', ANSWER_MS, 'NX')
      .del(this.#key(id, 'lease'));
    await executed(pipeline.publish(this.#newsChannel(id), `answered ${id}`));
  }

  onOffered(listener: (source: OfferSource) => void): () => void {
    const { announcements, keys, process } = this.#store;
    return announcements.onMessage(keys.offers, (message) => {
      const [word = '', origin = ''] = message.split(' ');
      const kind = OFFER_KINDS.find((known) => known === word);
      if (kind !== undefined && origin !== '' && origin !== process) listener({ kind, origin });
    });
  }

  onNews(listener: (news: OfferNews) => void): () => void {
    return this.#store.announcements.onMessage(this.#newsChannel(this.#store.process), (news) => {
      const [event, id = ''] = news.split(' ');
      if (event === 'taken' || event === 'answered') listener({ id, event });
    });
  }

  onStopped(listener: (id: string) => void): () => void {
    const { announcements, keys } = this.#store;
    return announcements.onMessage(keys.stoppedOffers, listener);
  }

  /** Adds a sign of life of this process, which waits for its offered tasks. */
  #sign<Pipeline extends { set(key: string, value: string, px: 'PX', ms: number): Pipeline }>(pipeline: Pipeline): Pipeline {
    this.#signedAt = steadyNow();
    return pipeline.set(this.#signKey(this.#store.process), '1', 'PX', LEASE_MS + SIGN_MS);
  }

  /**
   * Returns a taken task with its texts. If a text is lost, nobody performs the task here, and its offer comes to an end. Returns undefined
   * if there is no task, or if a text is lost.
   */
  async #unpacked(stored: unknown): Promise<OfferedTask | undefined> {
    if (!Buffer.isBuffer(stored)) return undefined;
    const { digests, ...task } = unpackTask(this.#store.sealing, stored);
    const definitions = await Promise.all(digests.map((digest) => this.#definitions.get(digest)));
    const known = definitions.filter((text) => text !== undefined);
    return known.length < digests.length ? undefined : { ...task, definitions: known };
  }

  #list({ kind, origin }: OfferSource): string {
    return `${this.#store.keys.offers}:${kind}:${origin}`;
  }

  #key(id: string, part: 'task' | 'lease' | 'answer'): string {
    return `${this.#store.keys.offers}:${part}:${id}`;
  }

  #newsChannel(id: string): string {
    return `${this.#store.keys.offers}:news:${originOf(id)}`;
  }

  #signKey(node: string): string {
    return `${this.#store.keys.offers}:origin:${node}`;
  }
}

/** Returns the name of the process that offered a task. */
const originOf = (id: string): string => id.split('/')[0] ?? '';

/** Sends the commands of a pipeline, and returns their replies. Rejects with the first error. */
async function executed(pipeline: { exec(): Promise<[error: Error | null, reply: unknown][] | null> }): Promise<readonly unknown[]> {
  const replies = (await pipeline.exec()) ?? [];
  return replies.map(([error, reply]) => {
    if (error) throw error;
    return reply;
  });
}
