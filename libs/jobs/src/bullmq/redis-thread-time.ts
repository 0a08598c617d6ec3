import type { ThreadTimeStore } from '../ports.ts';
import { isDamage } from '../unavailable.ts';
import type { RedisStore } from './redis-store.ts';

/** Time in seconds for which Redis keeps the thread times of a day after they last changed. */
const KEPT_SECONDS = 2 * 86_400;

/** Thread time that the studies of each client use, in Redis, with one key for each day. */
export class RedisThreadTime implements ThreadTimeStore {
  readonly #store: RedisStore;

  constructor(store: RedisStore) {
    this.#store = store;
  }

  async charge(day: string, client: string, ms: number): Promise<void> {
    const { redis, keys, gate, scripts } = this.#store;
    const key = keys.threadTime(day);
    const add = () => redis.multi().hincrbyfloat(key, client, ms).expire(key, KEPT_SECONDS).exec();
    await gate.whileAnswering(() => scripts.repairing(add));
  }

  async charged(day: string, client: string): Promise<number> {
    const { redis, keys, gate } = this.#store;
    const key = keys.threadTime(day);
    const read = async (): Promise<string | null> => {
      try {
        return await redis.hget(key, client);
      } catch (error) {
        if (!isDamage(error)) throw error;
        await redis.del(key);
        return null;
      }
    };
    return Number(await gate.whileAnswering(read)) || 0;
  }
}
