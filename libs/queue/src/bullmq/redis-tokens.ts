import type { TokenGrant, TokenRequest, TokenStore } from '../ports.ts';
import { StorageUnavailable } from '../unavailable.ts';
import { inTime, LATE } from '../in-time.ts';
import { TAKE_TOKENS } from './lua/commands.ts';
import type { RedisStore } from './redis-store.ts';

/** A process counts among the takers of tokens for so long after a request, ms. */
const COUNTS_MS = 10_000;
/** A server that does not answer within this time does not serve, ms: clients wait. */
const PATIENCE_MS = 250;

/** Rates that hold over all processes of one Redis, by its clock. */
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
