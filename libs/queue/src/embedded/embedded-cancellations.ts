import type { CancellationChannel } from '../ports.ts';
import type { EvaluationStore } from './evaluation-store.ts';

/** Channel for cancelling evaluations within one process. */
export class EmbeddedCancellations implements CancellationChannel {
  readonly #store: EvaluationStore;

  constructor(store: EvaluationStore) {
    this.#store = store;
  }

  cancel(id: string): Promise<boolean> {
    const evaluation = this.#store.get(id);
    return Promise.resolve(evaluation !== undefined && this.#store.happen(evaluation, 'cancel').answer === 'cancelled');
  }

  onCancelled(listener: (id: string) => void): () => void {
    return this.#store.cancelled.add(listener);
  }
}
