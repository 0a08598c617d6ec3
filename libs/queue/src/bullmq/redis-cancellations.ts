import { randomUUID } from 'node:crypto';
import type { CancellationChannel } from '../ports.ts';
import { CANCEL } from './lua/commands.ts';
import type { RedisStore } from './redis-store.ts';

/** Channel for cancelling evaluations across all processes of one Redis. */
export class RedisCancellations implements CancellationChannel {
  readonly #store: RedisStore;

  constructor(store: RedisStore) {
    this.#store = store;
  }

  async cancel(id: string): Promise<boolean> {
    const nonce = randomUUID();
    const cancel = () => this.#store.scripts.words(CANCEL, { id, nonce });
    const [answer, ended] = await this.#store.gate.whileAnswering(cancel);
    // Sent again after a lost reply, the call finds the evaluation over, and is told that it ended it.
    if (ended === 'cancelled') this.#store.ended.notify({ id, end: ended });
    return answer === 'cancelled' || ended === 'cancelled';
  }

  onCancelled(listener: (id: string) => void): () => void {
    return this.#store.announcements.onCancelled(listener);
  }
}
