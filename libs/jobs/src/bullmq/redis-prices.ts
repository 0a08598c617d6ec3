import type { PriceUpdates } from '#runner/flow';
import type { PriceStore } from '../ports.ts';
import { PRICE_MS } from '../retention.ts';
import type { RedisStore } from './redis-store.ts';

/**
 * Store of prices (expected evaluation times per item) in Redis, which all processes share. The scripts in Redis also update the prices
 * from measured evaluation times.
 */
export class RedisPrices implements PriceStore {
  readonly #store: RedisStore;

  constructor(store: RedisStore) {
    this.#store = store;
  }

  async exchange({ learned, wanted }: PriceUpdates): Promise<ReadonlyMap<string, number>> {
    const { redis, keys, gate } = this.#store;
    const exchange = async (): Promise<readonly (string | null)[]> => {
      const set = [...learned].map(([digest, itemMs]) => redis.set(keys.price(digest), itemMs, 'PX', PRICE_MS));
      const [known] = await Promise.all([wanted.length === 0 ? [] : redis.mget(...wanted.map((digest) => keys.price(digest))), ...set]);
      return known;
    };
    const known = await gate.whileAnswering(exchange);
    return new Map(wanted.flatMap((digest, i) => (isPrice(known[i]) ? [[digest, Number(known[i])]] : [])));
  }
}

/** Returns true if a stored value is a price: a number of ms that is not negative. Other software may have written another value. */
export const isPrice = (stored: string | null | undefined): stored is string => stored != null && stored !== '' && Number(stored) >= 0;
