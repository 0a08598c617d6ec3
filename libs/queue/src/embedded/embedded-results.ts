import type { ChunkResult } from '#evaluation';
import { isLiving } from '../life/evaluation-life.ts';
import type { EvaluationRecord, Progress, ResultStore } from '../ports.ts';
import type { EvaluationStore } from './evaluation-store.ts';

/** Store of evaluation results within one process. */
export class EmbeddedResults implements ResultStore {
  readonly #store: EvaluationStore;

  constructor(store: EvaluationStore) {
    this.#store = store;
  }

  list(most: number): Promise<readonly string[]> {
    // The youngest: they were put there last.
    return Promise.resolve([...this.#store.all].slice(-most).map(({ record }) => record.id));
  }

  record(id: string): Promise<EvaluationRecord | undefined> {
    return Promise.resolve(this.#store.get(id)?.record);
  }

  progress(id: string): Promise<Progress | undefined> {
    return Promise.resolve(this.#store.get(id)?.progress());
  }

  async result(id: string, chunk: number, signal?: AbortSignal): Promise<ChunkResult | undefined> {
    for (;;) {
      const evaluation = this.#store.get(id);
      if (!evaluation || signal?.aborted) return undefined;
      if (evaluation.done.has(chunk)) return this.#store.journal.result(id, chunk);
      const allQueued = evaluation.state !== 'receiving';
      if (!isLiving(evaluation.state) || (allQueued && chunk >= evaluation.chunksTotal)) return undefined;
      await evaluation.changed(signal);
    }
  }

  changed(id: string, signal: AbortSignal): Promise<void> {
    return this.#store.get(id)?.changed(signal) ?? Promise.resolve();
  }

  forget(id: string): Promise<void> {
    this.#store.forget(id);
    return Promise.resolve();
  }
}
