import type { CancellationChannel } from '../ports.ts';
import { CANCEL } from './lua/commands.ts';
import type { RedisStore } from './redis-store.ts';

/** The cancellations port over Redis. */
export class RedisCancellations implements CancellationChannel {
  readonly #store: RedisStore;

  constructor(store: RedisStore) {
    this.#store = store;
  }

  async cancel(id: string): Promise<boolean> {
    return (await this.#store.gate.whileAnswering(() => this.#store.scripts.word(CANCEL, { id }))) === 'cancelled';
  }

  onCancelled(listener: (id: string) => void): () => void {
    return this.#store.announcements.onCancelled(listener);
  }
}
