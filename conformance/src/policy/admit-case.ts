import { admit, compilePolicies } from '#policy';
import type { JsonObject } from '#go';
import { CaseProblem, numberField } from '../case-context.ts';
import { objectsOf, requestOf } from './read-case.ts';
import { filled, policyParts, refusalParts } from './verdict-parts.ts';
import type { CaseContext } from '../case-context.ts';
import type { VerdictObject } from '../canonical-text.ts';

/** Computes the verdict on an `admit` case: the decision of ValidatingAdmissionPolicies about a request. */
export function judgeAdmitCase(testCase: JsonObject, { minor, engine }: CaseContext): VerdictObject {
  const compiled = compilePolicies(objectsOf(testCase, 'policies'), objectsOf(testCase, 'bindings'), { minor, engine });
  if (!compiled.ok) throw new CaseProblem(compiled.error);
  const { request, world } = requestOf(testCase, minor);
  const verdict = admit(compiled.set, request, world, { budget: numberField(testCase, 'budget') });
  const echo = testCase['echo'] === true ? { seen: request.object, seenOld: request.oldObject } : {};
  return {
    ...refusalParts(verdict.refusal),
    warnings: filled(verdict.warnings),
    auditAnnotations: verdict.auditAnnotations.size === 0 ? undefined : Object.fromEntries(verdict.auditAnnotations),
    policies: filled(verdict.policies.map((policy) => policyParts(policy, minor))),
    ...echo,
  };
}
