import type { TokenGrant, TokenRequest, TokenStore } from '../ports.ts';
import { StorageUnavailable } from '../unavailable.ts';
import { inTime, LATE } from '../in-time.ts';
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
