export { idleReasons } from './write/idle-policy.ts';
export { POLICY_DIFFERENCES, policyHas } from './minors.ts';
export { buildRequest } from './request/build-request.ts';
export type { RequestDescription, RequestResult } from './request/build-request.ts';
export type { AdmissionRequest, Operation, UserInfo } from './request/admission-request.ts';
export { apiVersionOf } from './request/group-version.ts';
export type { GroupVersionKind, GroupVersionResource } from './request/group-version.ts';
export type { Kinds } from './request/kinds.ts';
export { Namespaces } from './request/namespaces.ts';
export { serverKinds } from './request/server-kinds.ts';
export { heldObject } from './request/typed-object.ts';
export { ParamObjects } from './params/param-objects.ts';
export type { ParamObject } from './params/param-objects.ts';
export { Unreadable } from './read/fields.ts';
export { admit } from './validate/admit.ts';
export type { AdmitLimits } from './validate/admit.ts';
export { compilePolicies } from './validate/policy-set.ts';
export type { CompiledPolicySet, CompilePoliciesOptions, PolicySetResult } from './validate/policy-set.ts';
export type {
  AdmissionVerdict,
  AnnotationOutcome,
  BindingOutcome,
  Decision,
  PolicyOutcome,
  PolicyRun,
  PolicyRefusal,
} from './validate/verdict.ts';
export type { PolicyExpression } from './expressions/compile-expressions.ts';
export type { ProgramRun } from './expressions/evaluate-list.ts';
export { tableAuthorizer } from './expressions/table-authorizer.ts';
export type { AuthorizationRule } from './expressions/table-authorizer.ts';
export type { World } from './world.ts';
export { compileLoneExpression, evaluateLoneExpression } from './expressions/evaluate-expression.ts';
export type { LoneExpression, LoneExpressionOptions, LoneResult } from './expressions/evaluate-expression.ts';
export { checkExpressions, checkHead } from './validate/compile-checks.ts';
export type { ExpressionCheck } from './validate/compile-checks.ts';
export { readPolicyHead, readValidatingPolicy } from './read/policy.ts';
export { readAdmissionRequest } from './read/request.ts';
export { readWorld } from './read/world.ts';
export type { ReadWorld, WorldDocuments } from './read/world.ts';
export { readWebhooks } from './read/webhook.ts';
export type { WebhookDecision as AskedWebhook } from './webhook/webhook-configurations.ts';
export { callWebhook, compileWebhook } from './webhook/call-webhooks.ts';
export type { CompiledWebhook, WebhookCall } from './webhook/call-webhooks.ts';
export { compileMutatingPolicies } from './mutate/compiled-mutating-policy.ts';
export type { MutatingPolicySet, MutatingPolicySetResult } from './mutate/compiled-mutating-policy.ts';
export { checkMutations } from './mutate/check-mutations.ts';
export { readMutatingPolicy } from './mutate/mutating-policy.ts';
export { mutate } from './mutate/mutate.ts';
export type { MutateLimits, MutationWorld } from './mutate/mutate.ts';
export type { MutationRun, MutationVerdict } from './mutate/mutation-verdict.ts';
export { protobufValue } from './mutate/values/protobuf-value.ts';
export type { ProtobufValue } from './mutate/values/protobuf-value.ts';
export { declaredVariables } from './expressions/declared-variables.ts';
export { checkTypes, variablesOfPolicy } from './typecheck/check-types.ts';
export type { ExpressionWarning, TypeChecking, TypeCheckingServer } from './typecheck/check-types.ts';
export { ObjectSchemas } from './schemas/object-schemas.ts';
export { compileAdmission } from './admission/policy-documents.ts';
export type { AdmissionPolicies, AdmissionPoliciesResult, PolicyDocuments, PolicyServer } from './admission/policy-documents.ts';
export { PolicyAdmission } from './admission/policy-admission.ts';
export type { AppliedPolicy, EvaluatedExpression, PolicyFindings, WriteContext } from './admission/policy-admission.ts';
export { builtInKind, judgeBuiltInWrite, withBuiltInDefaults } from './admission/builtin-write.ts';
export { growingParts, growParts } from './growth/part-growth.ts';
export type { GrowingPart, PartGrowth } from './growth/part-growth.ts';
export type { PartUnit } from './growth/object-parts.ts';
export { probePolicy } from './growth/probe-policy.ts';
export type { PolicyProbe, ProbedExpression, ProbedPolicy } from './growth/probe-policy.ts';
export { MULTIPLIED, multiplyPolicy } from './growth/multiply-policy.ts';
export type { Multiplied, MultipliedPolicy, PolicySubject } from './growth/multiply-policy.ts';
export { compileSubject, probeSubject } from './growth/subject-probe.ts';
export type { CompiledSubject, SampleRequest } from './growth/subject-probe.ts';
export { growCount, growSizes, probeAt, stopOf } from './growth/count-growth.ts';
export type { CountGrowth, SizedPart, SizedProbe } from './growth/count-growth.ts';
export { helpfulChanges } from './growth/policy-helps.ts';
export type { HelpfulChange } from './growth/policy-helps.ts';
export { requestFacts } from './growth/request-facts.ts';
export type { RequestFacts } from './growth/request-facts.ts';
export { reviewPolicy } from './write/review-policy.ts';
export type { PolicyReview } from './write/review-policy.ts';
export type { PolicyWriteOptions } from './write/head-write.ts';
export { isDefinitionKind, judgeDefinitionWrite } from './admission/definition-write.ts';
export type { DefinitionWriteOptions } from './admission/definition-write.ts';
