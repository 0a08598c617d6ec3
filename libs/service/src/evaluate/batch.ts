import { steadyNow } from '#evaluation';
import type { DocumentSlice, Envelope, EvaluationOptions, PolicyDocuments } from '#evaluation';
import { oneBlock } from './cut-runs.ts';

/** What is to be evaluated. */
export interface Batch {
  readonly definitions: readonly DocumentSlice[];
  readonly policies: PolicyDocuments;
  readonly options: EvaluationOptions;
  /** The items, block by block, as they come. */
  readonly blocks: AsyncIterable<readonly DocumentSlice[]>;
  /** `whole`: all items are there, and all are queued at once or none is. `arriving`: more may come; while the queue is full they are not read. */
  readonly arrival: 'whole' | 'arriving';
  /** When the batch began to arrive, epoch ms: its deadline counts from then. */
  readonly receivedAt: number;
  /** How many items there are, where that is known. */
  readonly items?: number;
}

/** A batch whose items are all there. */
export function wholeBatch({ definitions, policies, cluster, objects, options }: Envelope, receivedAt = steadyNow()): Batch {
  return {
    definitions,
    policies: { policies, cluster },
    options,
    blocks: oneBlock(objects),
    arrival: 'whole',
    receivedAt,
    items: objects.length,
  };
}
