import { byLevel, flowPath } from './flow.ts';
import type { Flow, Level, QueueKey } from './flow.ts';

/**
 * Reasons for refusing an evaluation, a chunk or a definition. Each reason names the limit that is reached. The prefix `flow-` marks a
 * limit of one flow; all other reasons are limits of the whole queue.
 */
const REFUSALS = [
  'evaluations',
  'bytes',
  'flow-evaluations',
  'flow-chunks',
  'flow-bytes',
  'results',
  'flow-results',
  'definitions',
  'flow-definitions',
] as const;
export type Refusal = (typeof REFUSALS)[number];

/** Returns true if the answer of a queue's method `accept` or `enqueue` is a refusal, which names the reached limit. */
export function isRefusal(answer: string): answer is Refusal {
  return (REFUSALS as readonly string[]).includes(answer);
}

/** Limits of the load of a process or of a whole queue. */
export interface LoadLimits {
  /** Maximum number of evaluations that are not over. */
  readonly evaluations: number;
  /** Maximum total size, in bytes, of chunks that wait to run. */
  readonly waitingBytes: number;
  /** Maximum total size, in bytes, of stored results of detached evaluations. */
  readonly resultBytes: number;
}

interface Load {
  evaluations: number;
  chunks: number;
  /** Size of the waiting chunks, in bytes. */
  bytes: number;
  /** Total size of the stored results, in bytes. */
  results: number;
}

/** Number of runs of a batch that has arrived, and the bytes of its items. */
export interface BatchSize {
  readonly runs: number;
  readonly bytes: number;
}

function addTo(load: Load, { evaluations = 0, chunks = 0, bytes = 0, results = 0 }: Partial<Load>): void {
  load.evaluations += evaluations;
  load.chunks += chunks;
  load.bytes += bytes;
  load.results += results;
}

const none = (): Load => ({ evaluations: 0, chunks: 0, bytes: 0, results: 0 });

/**
 * Load of the queue, in total and for each {@link Flow}. It consists of the number of living evaluations, the number and size of waiting
 * chunks, and the size of stored results. The queue accepts or refuses new evaluations by their load. Only the total size limits
 * evaluations of the level `exempt`, because even these occupy memory.
 */
export class FlowLoad {
  readonly total = none();
  readonly #byFlow = new Map<string, Load>();
  readonly #waiting = { ...byLevel(() => 0) };

  add(queueKey: QueueKey, change: Partial<Load>): void {
    const path = flowPath(queueKey);
    let flow = this.#byFlow.get(path);
    if (!flow) this.#byFlow.set(path, (flow = none()));
    addTo(this.total, change);
    addTo(flow, change);
    this.#waiting[queueKey.level] += change.chunks ?? 0;
  }

  /** Returns the number of chunks that wait in a level. */
  waiting(level: Level): number {
    return this.#waiting[level];
  }

  /**
   * Returns the reason why a further evaluation of this {@link Flow} is refused, or undefined if it is accepted. `detached` is true if its
   * results are kept until they are fetched or expire.
   */
  refusesEvaluation(queueKey: QueueKey, { limits }: Flow, all: LoadLimits, { detached = false } = {}): Refusal | undefined {
    const flow = this.#byFlow.get(flowPath(queueKey)) ?? none();
    if (this.total.bytes >= all.waitingBytes) return 'bytes';
    if (detached && this.total.results >= all.resultBytes) return 'results';
    if (queueKey.level === 'exempt') return undefined;
    if (this.total.evaluations >= all.evaluations) return 'evaluations';
    if (flow.evaluations >= limits.evaluations) return 'flow-evaluations';
    if (flow.chunks >= limits.chunks) return 'flow-chunks';
    if (flow.bytes >= limits.bytes) return 'flow-bytes';
    return detached && flow.results >= limits.resultBytes ? 'flow-results' : undefined;
  }

  /**
   * Returns true if a result of `bytes` bytes must not be stored. This is the case if the flow or the whole queue has reached its limit for
   * stored results. It is also the case if the result alone exceeds such a limit. The result that crosses a limit is still stored, and new
   * evaluations are refused afterwards. At most twice the limit is therefore stored.
   */
  overfull(queueKey: QueueKey, { limits }: Flow, all: LoadLimits, bytes: number): boolean {
    const flow = this.#byFlow.get(flowPath(queueKey)) ?? none();
    const full = (held: number, share: number): boolean => held >= share || bytes > share;
    return full(this.total.results, all.resultBytes) || (queueKey.level !== 'exempt' && full(flow.results, limits.resultBytes));
  }

  /**
   * Returns the reason why a batch that has arrived is refused, or undefined if it is accepted. The reasons are those of {@link
   * refusesChunk} for any run of consecutive items of the batch.
   */
  refusesBatch(queueKey: QueueKey, { limits }: Flow, all: LoadLimits, { runs, bytes }: BatchSize): Refusal | undefined {
    const flow = this.#byFlow.get(flowPath(queueKey)) ?? none();
    const exceeds = (held: number, limit: number): boolean => (held > 0 || runs > 1) && held + bytes > limit;
    if (exceeds(this.total.bytes, all.waitingBytes)) return 'bytes';
    return queueKey.level !== 'exempt' && exceeds(flow.bytes, limits.bytes) ? 'flow-bytes' : undefined;
  }

  /**
   * Returns the reason why a chunk of `bytes` bytes is refused, or undefined if it is accepted. The limit of a flow does not apply while
   * the flow has no waiting chunks, nor to flows of the level `exempt`. The limit of the queue does not apply while the queue has none.
   */
  refusesChunk(queueKey: QueueKey, { limits }: Flow, all: LoadLimits, bytes: number): Refusal | undefined {
    const flow = this.#byFlow.get(flowPath(queueKey)) ?? none();
    if (this.total.bytes > 0 && this.total.bytes + bytes > all.waitingBytes) return 'bytes';
    return queueKey.level !== 'exempt' && flow.bytes > 0 && flow.bytes + bytes > limits.bytes ? 'flow-bytes' : undefined;
  }
}
