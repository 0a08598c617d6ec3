import { steadyNow } from '#documents';
import type { DocumentSlice, Envelope, EvaluationOptions, PolicyDocuments } from '#documents';

interface BatchHead {
  readonly definitions: readonly DocumentSlice[];
  readonly policies: PolicyDocuments;
  readonly options: EvaluationOptions;
  /** Time at which the batch began to arrive, in epoch ms of the steady clock. Its deadline is counted from this time. */
  readonly receivedAt: number;
}

/** Documents and options of an evaluation whose objects have all arrived. The queue accepts either all objects or none. */
export interface WholeBatch extends BatchHead {
  readonly arrival: 'whole';
  readonly objects: readonly DocumentSlice[];
}

/** Batch whose items may still be arriving. Its body is not read while the queue is full. */
interface ArrivingBatch extends BatchHead {
  readonly arrival: 'arriving';
  /** Items of the batch, in blocks, in the order in which they arrive. */
  readonly blocks: AsyncIterable<readonly DocumentSlice[]>;
}

/** Documents and options of an evaluation. All items have arrived, or items may still be arriving. */
export type Batch = WholeBatch | ArrivingBatch;

/**
 * Returns the batch (documents and options of one evaluation) of a request whose objects have all arrived. `receivedAt` is the time at
 * which the request began to arrive.
 */
export function wholeBatch({ definitions, policies, cluster, objects, options }: Envelope, receivedAt = steadyNow()): WholeBatch {
  return { arrival: 'whole', definitions, policies: { policies, cluster }, options, objects, receivedAt };
}
