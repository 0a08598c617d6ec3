import { inTime, isDamage, LATE, StorageUnavailable } from '../unavailable.ts';
import type { ThreadTimeStore, TokenGrant, TokenRequest, TokenStore } from '../ports.ts';
import { TAKE_TOKENS } from './lua/commands.ts';
import type { RedisStore } from './redis-store.ts';

/** Time in ms for which a process, after its last request for tokens, counts among the processes that share the rate limits. */
const COUNTS_MS = 10_000;
/** Time in ms after which a server that does not respond counts as unavailable. It is short because clients wait for the tokens. */
const PATIENCE_MS = 250;

/** Rate limits that apply across all processes that use the same Redis. The clock of Redis measures the time. */
export class RedisTokens implements TokenStore {
  readonly #store: RedisStore;

  constructor(store: RedisStore) {
    this.#store = store;
  }

  async take(requests: readonly TokenRequest[]): Promise<readonly TokenGrant[]> {
    const grants = await inTime(PATIENCE_MS, this.#take(requests));
    if (grants === LATE) throw new StorageUnavailable(`no tokens came within ${PATIENCE_MS} ms`);
    return grants;
  }

  async #take(requests: readonly TokenRequest[]): Promise<readonly TokenGrant[]> {
    const { gate, scripts, process } = this.#store;
    await gate.pass();
    const [processes = 1, ...numbers] = await scripts.words(TAKE_TOKENS, { process, countsMs: COUNTS_MS, requests });
    return requests.map((_, i) => ({
      tokens: Number(numbers[2 * i] ?? 0),
      waitMs: Number(numbers[2 * i + 1] ?? 0),
      processes: Number(processes),
    }));
  }
}

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
