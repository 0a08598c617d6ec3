import type { CompiledDefinition, ObjectVerdict } from '#crd';
import type { JsonObject } from '#go';
import type { Status } from '#kube';
import type { PolicyFindings } from '#policy';
import { budgetSpentStatus, stoppedStatus } from '#documents';
import type { JudgingSettings, ItemOutcome, Phases } from '#documents';

/**
 * Result of evaluating one object of a batch: the verdict without the object's index, and the data from which summaries and metrics are
 * counted.
 */
export interface JudgedItem {
  readonly outcome: ItemOutcome;
  /** API version of the object; absent if it could not be read. */
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
  readonly definition?: CompiledDefinition;
  readonly status?: Status;
  /** True if the evaluation has no definition of the item's kind. */
  readonly missing?: boolean;
  readonly warnings: readonly string[];
  readonly object?: JsonObject;
  readonly verdict?: WriteVerdict;
  /** Findings of the admission policies; absent if there are no policies or if they were not evaluated. */
  readonly admission?: PolicyFindings | undefined;
  readonly phases: Phases;
}

/** Verdict on one create or update of an object, for an evaluation that was not cancelled. */
export type WriteVerdict = Exclude<ObjectVerdict, { cancelled: true }>;

/** Returns the result for an object or request whose evaluation was stopped. Its outcome is `cancelled`. */
export function cancelled(): JudgedItem {
  return {
    outcome: 'cancelled',
    status: stoppedStatus(),
    warnings: [],
    phases: {},
  };
}

/** Returns the result for an object or request on which no verdict is possible, for example because its definition is unknown. */
export function notEvaluatedResult(status: Status): JudgedItem {
  return { outcome: 'notEvaluated', status, warnings: [], phases: {} };
}

/** Returns the result for an item that was not evaluated because the evaluation's budget was already spent. */
export function overBudget({ options }: JudgingSettings): JudgedItem {
  const { perEvaluation } = options.costLimits;
  const status = budgetSpentStatus(typeof perEvaluation === 'number' ? perEvaluation : 0);
  return { outcome: 'notEvaluated', status, warnings: [], phases: {} };
}
