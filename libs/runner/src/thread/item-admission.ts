import { PolicyAdmission } from '#policy';
import type { AdmissionPolicies, PolicyFindings, WriteContext } from '#policy';
import type { CancellationToken } from '#go';
import type { AdmissionReport, EvaluationOptions, WriteSettings } from '#documents';

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
