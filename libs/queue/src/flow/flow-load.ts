import { flowPath } from './flow.ts';
import type { Flow, QueueKey } from './flow.ts';
import { byLevel } from './level.ts';
import type { Level } from './level.ts';
import type { QueueLimits } from '../limits.ts';

/** Why an evaluation or a chunk was not taken: which bound is reached, of the whole queue or of one flow. */
export const REFUSALS = ['evaluations', 'bytes', 'flow-evaluations', 'flow-chunks', 'flow-bytes'] as const;
export type Refusal = (typeof REFUSALS)[number];

/** Whether an answer of `accept` or `enqueue` is a refusal. */
export function isRefusal(answer: string): answer is Refusal {
  return (REFUSALS as readonly string[]).includes(answer);
}

interface Load {
  evaluations: number;
  chunks: number;
  bytes: number;
}
const none = (): Load => ({ evaluations: 0, chunks: 0, bytes: 0 });

/** What lives and waits, of all and by flow; and whether more may come. `exempt` is bounded by the bytes of all only, which are memory. */
export class FlowLoad {
  readonly total = none();
  readonly #byFlow = new Map<string, Load>();
  readonly #waiting = { ...byLevel(() => 0) };

  add(queueKey: QueueKey, change: Partial<Load>): void {
    const path = flowPath(queueKey);
    const flow = this.#byFlow.get(path) ?? none();
    this.#byFlow.set(path, flow);
    for (const load of [this.total, flow]) for (const what of ['evaluations', 'chunks', 'bytes'] as const) load[what] += change[what] ?? 0;
    this.#waiting[queueKey.level] += change.chunks ?? 0;
  }

  /** Chunks that wait in a level. */
  waiting(level: Level): number {
    return this.#waiting[level];
  }

  /** Why no further evaluation of this flow is accepted; undefined when it is. */
  refusesEvaluation(queueKey: QueueKey, { limits }: Flow, all: QueueLimits): Refusal | undefined {
    const flow = this.#byFlow.get(flowPath(queueKey)) ?? none();
    if (this.total.bytes >= all.waitingBytes) return 'bytes';
    if (queueKey.level === 'exempt') return undefined;
    if (this.total.evaluations >= all.evaluations) return 'evaluations';
    if (flow.evaluations >= limits.evaluations) return 'flow-evaluations';
    if (flow.chunks >= limits.chunks) return 'flow-chunks';
    return flow.bytes >= limits.bytes ? 'flow-bytes' : undefined;
  }

  /** Why a chunk of so many bytes is not taken. A flow, or queue, that holds nothing takes a chunk of any size. */
  refusesChunk(queueKey: QueueKey, { limits }: Flow, all: QueueLimits, bytes: number): Refusal | undefined {
    const flow = this.#byFlow.get(flowPath(queueKey)) ?? none();
    if (this.total.bytes > 0 && this.total.bytes + bytes > all.waitingBytes) return 'bytes';
    return queueKey.level !== 'exempt' && flow.bytes > 0 && flow.bytes + bytes > limits.bytes ? 'flow-bytes' : undefined;
  }
}
