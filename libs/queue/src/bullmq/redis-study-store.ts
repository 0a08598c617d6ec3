import type { SharedStudyStore } from '../study-fleet.ts';
import type { StoredStudy, StudyForms } from '../study-store.ts';
import { UnreadableContent } from '../at-rest/sealing.ts';
import { isDamage } from '../unavailable.ts';
import type { RedisStore } from './redis-store.ts';

/** Time in seconds after which Redis deletes a study (search for expensive objects) that no process has finished or deleted. */
const LIFE_SECONDS = 2 * 86_400;

/**
 * Store of studies (searches for expensive objects) in Redis. Each study is one hash with the fields `record`, `order`, `begun`, `end`,
 * `report` and `news`.
 */
export class RedisStudyStore<Forms extends StudyForms> implements SharedStudyStore<Forms> {
  readonly #store: RedisStore;

  constructor(store: RedisStore) {
    this.#store = store;
  }

  async put(id: string, record: Forms['record'], order: Forms['order']): Promise<void> {
    await this.#do((redis) =>
      redis
        .multi()
        .hset(
          this.#key(id),
          'record',
          this.#store.sealing.pack('study', record),
          'order',
          this.#store.sealing.pack('study', order),
          'begun',
          0,
        )
        .expire(this.#key(id), LIFE_SECONDS)
        .sadd(this.#index, id)
        .expire(this.#index, LIFE_SECONDS)
        .exec(),
    );
  }

  async begin(id: string): Promise<Forms['order'] | undefined> {
    const order = await this.#part(id, 'order');
    // Redis may have forgotten the study since: what is made anew expires.
    if (order !== undefined)
      await this.#do((redis) => redis.multi().hincrby(this.#key(id), 'begun', 1).expire(this.#key(id), LIFE_SECONDS).exec());
    return order;
  }

  async finish(id: string, end: Forms['end'], report: Forms['report']): Promise<void> {
    // A process that was thought to be gone comes too late: the first end counts.
    const packed = this.#store.sealing.pack('study', end);
    const answers = await this.#do((redis) =>
      redis.multi().hsetnx(this.#key(id), 'end', packed).expire(this.#key(id), LIFE_SECONDS).exec(),
    );
    const isFirst = answers?.[0]?.[1] === 1;
    if (isFirst)
      await this.#do((redis) =>
        redis
          .multi()
          .hset(this.#key(id), 'report', this.#store.sealing.pack('study', report))
          .hdel(this.#key(id), 'order', 'news')
          .expire(this.#key(id), LIFE_SECONDS)
          .exec(),
      );
    await this.#announce(id);
  }

  report(id: string): Promise<Forms['report'] | undefined> {
    return this.#part(id, 'report');
  }

  async forget(id: string): Promise<void> {
    await this.#do((redis) => redis.multi().del(this.#key(id)).srem(this.#index, id).exec());
    await this.#announce(id);
  }

  async find(id: string): Promise<StoredStudy<Forms> | undefined> {
    const [record, begun, end] = await this.#do((redis) => redis.hmgetBuffer(this.#key(id), 'record', 'begun', 'end'));
    if (!record) return undefined;
    return {
      id,
      record: this.#store.sealing.unpack('study', record),
      begun: Number(begun?.toString()),
      end: end ? this.#store.sealing.unpack('study', end) : undefined,
    };
  }

  /** Returns true if the index of studies in Redis contains at least one study, which may have expired. */
  async hasAny(): Promise<boolean> {
    return (await this.#do((redis) => redis.exists(this.#index))) === 1;
  }

  async list(): Promise<readonly StoredStudy<Forms>[]> {
    const ids = await this.#do((redis) => redis.smembers(this.#index));
    const found = await Promise.all(ids.map(async (id) => [id, await this.find(id).catch(nothingIfDamaged)] as const));
    for (const [id, study] of found) if (study === undefined) await this.#do((redis) => redis.srem(this.#index, id));
    return found.flatMap(([, study]) => study ?? []);
  }

  async publish(id: string, news: unknown): Promise<boolean> {
    // News of a study that is over, or was forgotten, would live on.
    if ((await this.#do((redis) => redis.hexists(this.#key(id), 'order'))) === 0) return false;
    await this.#do((redis) =>
      redis.multi().hset(this.#key(id), 'news', this.#store.sealing.pack('study', news)).expire(this.#key(id), LIFE_SECONDS).exec(),
    );
    await this.#announce(id);
    return true;
  }

  news(id: string): Promise<unknown> {
    return this.#part(id, 'news');
  }

  async charge(day: string, client: string, ms: number): Promise<void> {
    const key = `${this.#store.keys.prefix}:study-time:${day}`;
    await this.#do((redis) => redis.multi().hincrbyfloat(key, client, ms).expire(key, LIFE_SECONDS).exec());
  }

  async charged(day: string, client: string): Promise<number> {
    const key = `${this.#store.keys.prefix}:study-time:${day}`;
    const charged = await this.#do((redis) =>
      redis.hget(key, client).catch((error: unknown) => {
        if (!isDamage(error)) throw error;
        return redis.del(key).then(() => null);
      }),
    );
    return Number(charged) || 0;
  }

  #do<Answer>(ask: (redis: RedisStore['redis']) => Promise<Answer>): Promise<Answer> {
    return this.#store.gate.whileAnswering(() => this.#store.scripts.repairing(() => ask(this.#store.redis)));
  }

  async #announce(id: string): Promise<void> {
    await this.#do((redis) => redis.publish(this.#store.keys.changes, studyChannel(id)));
  }

  async #part(id: string, field: 'order' | 'report' | 'news'): Promise<unknown> {
    const packed = await this.#do((redis) => redis.hgetBuffer(this.#key(id), field));
    return packed ? this.#store.sealing.unpack('study', packed) : undefined;
  }

  #key(id: string): string {
    return `${this.#store.keys.prefix}:study:${id}`;
  }

  get #index(): string {
    return `${this.#store.keys.prefix}:studies`;
  }
}

/**
 * Returns the id under which a study (benchmark of rules) is announced in Redis channels. Evaluations are announced in the same channels
 * under their own ids.
 */
export const studyChannel = (id: string): string => `study/${id}`;

/** Returns null for a study that other software damaged, so that the other studies can still be listed. Throws any other error. */
function nothingIfDamaged(error: unknown): null {
  if (!isDamage(error) && !(error instanceof UnreadableContent)) throw error;
  return null;
}
