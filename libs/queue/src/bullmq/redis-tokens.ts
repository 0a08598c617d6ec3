import { randomUUID } from 'node:crypto';
import type { TokenGrant, TokenRequest, TokenStore } from '../ports.ts';
import { StorageUnavailable } from '../unavailable.ts';
import { TAKE_TOKENS } from './lua/commands.ts';
import type { RedisStore } from './redis-store.ts';

/** A process counts among the takers of tokens for so long after a request, ms. */
const COUNTS_MS = 10_000;
/** A server that does not answer within this time does not serve, ms: clients wait. */
const PATIENCE_MS = 250;

/** Rates that hold over all processes of one Redis, by its clock. */
export class RedisTokens implements TokenStore {
  readonly #store: RedisStore;
  readonly #process = randomUUID();

  constructor(store: RedisStore) {
    this.#store = store;
  }

  async take(requests: readonly TokenRequest[]): Promise<readonly TokenGrant[]> {
    const late = Promise.withResolvers<never>();
    const giveUp = (): void => late.reject(new StorageUnavailable(`no tokens came within ${PATIENCE_MS} ms`));
    // An answer that came while this process stood still is read first.
    const timer = setTimeout(() => setImmediate(giveUp), PATIENCE_MS);
    try {
      return await Promise.race([this.#take(requests), late.promise]);
    } finally {
      clearTimeout(timer);
    }
  }

  async #take(requests: readonly TokenRequest[]): Promise<readonly TokenGrant[]> {
    const { gate, scripts } = this.#store;
    await gate.pass();
    const [processes = 1, ...numbers] = await scripts.words(TAKE_TOKENS, { process: this.#process, countsMs: COUNTS_MS, requests });
    return requests.map((_, i) => ({
      tokens: Number(numbers[2 * i] ?? 0),
      waitMs: Number(numbers[2 * i + 1] ?? 0),
      processes: Number(processes),
    }));
  }
}
