import type { CompiledDefinition, ObjectVerdict } from '#crd';
import { budgetSpentStatus, stoppedStatus } from '#documents';
import type { AdmissionReport, EvaluationOptions, ItemOutcome, JudgingSettings, Phases, WriteSettings } from '#documents';
import type { CancellationToken, JsonObject } from '#go';
import type { Status } from '#kube';
import { PolicyAdmission } from '#policy';
import type { AdmissionPolicies, PolicyFindings, WriteContext } from '#policy';

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

/**
 * Returns the admission of one write request by the policies of an evaluation. The policies see `userInfo` as the user who sends the
 * request, or the user in the options if `userInfo` is undefined.
 */
export function admissionOf(
  policies: AdmissionPolicies,
  userInfo: UserInfo | undefined,
  { admission }: EvaluationOptions,
  token: CancellationToken,
): PolicyAdmission {
  const user = userInfo ?? admission.userInfo;
  return new PolicyAdmission(policies, { user: user && userOf(user), authorizer: admission.authorizer, token });
}

type UserInfo = NonNullable<WriteSettings['userInfo']>;

function userOf({ username, uid, groups, extra }: UserInfo): WriteContext['user'] {
  return { username, uid, groups, extra: new Map(Object.entries(extra)) };
}

/** Returns the part of a verdict that describes the policies. With `explain`, this part also contains the cost of each expression. */
export function admissionReport(
  { auditAnnotations, cost, policies, webhooks }: PolicyFindings,
  { explain }: EvaluationOptions,
): AdmissionReport {
  return {
    cost,
    ...(Object.keys(auditAnnotations).length > 0 && { auditAnnotations }),
    ...(explain && { policies, ...(webhooks.length > 0 && { webhooks }) }),
  };
}
