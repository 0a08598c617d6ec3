import { LRUCache } from 'lru-cache';
import { steadyNow } from '#documents';
import type { DefinitionText } from '#documents';
import type { PriceUpdates, Refusal } from '#runner/flow';
import { UnreadableContent } from '../at-rest/sealing.ts';
import { DefinitionLoad } from '../definition-load.ts';
import type { DefinitionHolder, DefinitionStore, PriceStore } from '../ports.ts';
import { PRICE_MS } from '../limits.ts';
import type { QueueLimits } from '../limits.ts';
import { isDamage } from '../unavailable.ts';
import { packDefinition, unpackDefinition } from './packing.ts';
import type { RedisStore } from './redis-store.ts';

/**
 * Maximum total size, in bytes, of the definition texts that are cached in memory. A larger text counts as this size, and is removed when
 * the next text is cached.
 */
const RECENT_BYTES = 16 * 1024 * 1024;

/**
 * Time in ms after the deadline within which the last chunk of an evaluation may end. A definition is kept at least until this time has
 * passed.
 */
const GRACE_MS = 60_000;
/**
 * Additional time in ms for which a definition is kept. Within this time, later evaluations with this definition do not need to extend its
 * lifetime.
 */
const SPARE_MS = 60_000;

/**
 * Store of definitions in Redis, with a cache in memory. A cached text is never outdated, because its digest identifies the complete text.
 */
export class RedisDefinitions implements DefinitionStore {
  readonly #store: RedisStore;
  readonly #load: DefinitionLoad;
  readonly #recent = new LRUCache<string, DefinitionText>({
    maxSize: RECENT_BYTES,
    sizeCalculation: ({ slice }) => Math.min(Math.max(slice.bytes.length, 1), RECENT_BYTES),
  });

  constructor(limits: QueueLimits, store: RedisStore) {
    this.#store = store;
    this.#load = new DefinitionLoad(limits);
  }

  async put(text: DefinitionText, { flow, leftMs, keptAs }: DefinitionHolder): Promise<Refusal | undefined> {
    const { redis, keys, sealing, gate } = this.#store;
    await gate.pass();
    const neededMs = leftMs + GRACE_MS;
    const keptMs = neededMs + SPARE_MS;
    const now = steadyNow();
    this.#load.expire(now);
    const { digest, slice } = text;
    const refusal = this.#load.charge({ digest, bytes: slice.bytes.length, until: now + keptMs, flow, keptAs });
    if (refusal) return refusal;
    const key = keys.definition(digest);
    await gate.whileAnswering(async () => {
      // Most definitions come repeatedly, so this code sends a text only if Redis does not have it.
      const there = await redis.pttl(key);
      const isKept = there >= 0 && (await this.#isReadable(digest));
      if (!isKept || (there < neededMs && (await redis.pexpire(key, keptMs)) === 0))
        await redis.set(key, packDefinition(sealing, text), 'PX', keptMs);
    });
    return undefined;
  }

  /** Returns false if other software damaged the stored text. A text that this process has read or stored counts as readable. */
  async #isReadable(digest: string): Promise<boolean> {
    try {
      return (await this.get(digest)) !== undefined;
    } catch (error) {
      if (error instanceof UnreadableContent || isDamage(error)) return false;
      throw error;
    }
  }

  async get(digest: string): Promise<DefinitionText | undefined> {
    const known = this.#recent.get(digest);
    if (known) return known;
    const { redis, keys, sealing, gate } = this.#store;
    const bytes = await gate.whileAnswering(() => redis.getBuffer(keys.definition(digest)));
    if (!bytes) return undefined;
    const text = unpackDefinition(sealing, bytes);
    this.#recent.set(digest, text);
    return text;
  }
}

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
