import { Cancelled } from '#go';
import type { CancellationToken } from '#go';
import type { DefinitionText } from '#documents';
import { NOT_RUN } from '../engine.ts';
import type { Engine, RunAnswer, RunSettings } from '../engine.ts';
import type { ResultOf, Work } from '../protocol.ts';
import { WorkPerformer } from './perform.ts';
import type { JudgingWork } from './perform.ts';

/** Token that never requests cancellation. */
const UNSTOPPABLE: CancellationToken = { cancelled: false };

/**
 * Engine that runs in the calling thread, for callers such as the library that start no threads. During a task, no other code of this
 * thread runs, so only `token` can stop the task. Abort signals have an effect only between two tasks. If a task fails with an error that
 * would end a thread of another engine, this engine throws the error.
 */
export class InProcessEngine implements Engine {
  readonly threads = 1;
  readonly #performer: WorkPerformer;
  readonly #token: CancellationToken;

  /** Creates an engine. All engines with the same `performer` share its compiled definitions and policies. */
  constructor(performer: WorkPerformer = new WorkPerformer(), token: CancellationToken = UNSTOPPABLE) {
    this.#performer = performer;
    this.#token = token;
  }

  /** Performs work synchronously. Throws `Cancelled` if the token requests cancellation. */
  perform<One extends JudgingWork>(work: One, definitions: readonly DefinitionText[] = []): ResultOf<One> {
    const missing = new Set(this.#performer.missing(work));
    for (const text of definitions) if (missing.has(text.digest)) this.#performer.compile(text, this.#token);
    return this.#performer.perform(work, this.#token);
  }

  async run<One extends Work>(work: One, { definitions, signal }: RunSettings = {}): Promise<RunAnswer<ResultOf<One>>> {
    await new Promise((resolve) => setTimeout(resolve));
    if (signal?.aborted) return NOT_RUN;
    if (work.kind === 'documents') throw new TypeError('documents are cut by `cutDocuments` where there is no thread for it');
    await this.#performer.load(work);
    const started = performance.now();
    try {
      const result = this.perform(work, definitions) as ResultOf<One>;
      return { kind: 'done', result, spentMs: performance.now() - started };
    } catch (error) {
      if (error instanceof Cancelled) return { kind: 'cancelled', spentMs: performance.now() - started };
      throw error;
    }
  }
}
