import { steadyNow } from '#evaluation';
import type { DocumentSlice, Envelope, EvaluationOptions, PolicyDocuments } from '#evaluation';

interface BatchHead {
  readonly definitions: readonly DocumentSlice[];
  readonly policies: PolicyDocuments;
  readonly options: EvaluationOptions;
  /** When the batch began to arrive, epoch ms: its deadline counts from then. */
  readonly receivedAt: number;
}

/** A batch whose items are all there: all are queued at once or none is. */
export interface WholeBatch extends BatchHead {
  readonly arrival: 'whole';
  readonly objects: readonly DocumentSlice[];
}

/** Batch of which more items may arrive. It is not read while the queue is full. */
interface ArrivingBatch extends BatchHead {
  readonly arrival: 'arriving';
  /** The items, block by block, as they come. */
  readonly blocks: AsyncIterable<readonly DocumentSlice[]>;
}

/** The documents to evaluate. */
export type Batch = WholeBatch | ArrivingBatch;

/** Returns a batch whose items are all there. */
export function wholeBatch({ definitions, policies, cluster, objects, options }: Envelope, receivedAt = steadyNow()): WholeBatch {
  return { arrival: 'whole', definitions, policies: { policies, cluster }, options, objects, receivedAt };
}
