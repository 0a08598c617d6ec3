import { LRUCache } from 'lru-cache';
import type { DefinitionText } from '#evaluation';
import type { DefinitionStore } from '../ports.ts';
import { packDefinition, unpackDefinition } from './packing.ts';
import type { RedisStore } from './redis-store.ts';

/** Definition texts kept in memory, bytes; a longer one counts as that much, and stays until the next comes. */
const RECENT_BYTES = 16 * 1024 * 1024;

/** The definitions port over Redis. A digest says all of a text, so what memory holds is never stale. */
export class RedisDefinitions implements DefinitionStore {
  readonly #store: RedisStore;
  readonly #recent = new LRUCache<string, DefinitionText>({
    maxSize: RECENT_BYTES,
    sizeCalculation: ({ slice }) => Math.min(Math.max(slice.bytes.length, 1), RECENT_BYTES),
  });

  constructor(store: RedisStore) {
    this.#store = store;
  }

  async put(text: DefinitionText): Promise<void> {
    const { redis, keys, limits } = this.#store;
    const key = keys.definition(text.digest);
    // It must not expire while an evaluation lives.
    const ttlMs = 2 * limits.retentionMs;
    // Most definitions come again and again; their texts are sent once.
    if ((await redis.pexpire(key, ttlMs)) === 0) await redis.set(key, packDefinition(text), 'PX', ttlMs);
  }

  async get(digest: string): Promise<DefinitionText | undefined> {
    const known = this.#recent.get(digest);
    if (known) return known;
    const bytes = await this.#store.redis.getBuffer(this.#store.keys.definition(digest));
    if (!bytes) return undefined;
    const text = unpackDefinition(bytes);
    this.#recent.set(digest, text);
    return text;
  }
}
