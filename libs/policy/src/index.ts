export { idleReasons } from './write/idle-policy.ts';
export { POLICY_DIFFERENCES, policyHas } from './minors.ts';
export { buildRequest } from './request/admission-request.ts';
export type { AdmissionRequest, Operation, RequestDescription, RequestResult, UserInfo } from './request/admission-request.ts';
export { apiVersionOf, serverKinds } from './request/kinds.ts';
export type { GroupVersionKind, GroupVersionResource, Kinds } from './request/kinds.ts';
export { Namespaces } from './request/namespaces.ts';
export { heldObject } from './request/held-object.ts';
export { ParamObjects } from './params.ts';
export type { ParamObject } from './params.ts';
export { Unreadable } from './read/fields.ts';
export { admit } from './validate/admit.ts';
export type { AdmitLimits } from './validate/admit.ts';
export { checkExpressions, checkHead, compilePolicies } from './validate/compiled-policy.ts';
export type { CompiledPolicySet, CompilePoliciesOptions, ExpressionCheck, PolicySetResult } from './validate/compiled-policy.ts';
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
export type { LoneExpression, LoneExpressionOptions, LoneResult, ProgramRun } from './expressions/evaluate-expressions.ts';
export { tableAuthorizer } from './expressions/table-authorizer.ts';
export type { AuthorizationRule } from './expressions/table-authorizer.ts';
export type { ReadWorld, World, WorldDocuments } from './world.ts';
export { compileLoneExpression, evaluateLoneExpression } from './expressions/evaluate-expressions.ts';
export { readPolicyHead, readValidatingPolicy } from './read/policy.ts';
export { readAdmissionRequest } from './read/request.ts';
export { readWorld } from './world.ts';
export { callWebhook, compileWebhook, readWebhooks } from './webhooks.ts';
export type { CompiledWebhook, WebhookCall, WebhookDecision as AskedWebhook } from './webhooks.ts';
export { checkMutations, compileMutatingPolicies, readMutatingPolicy } from './mutate/mutating-policy.ts';
export type { MutatingPolicySet, MutatingPolicySetResult } from './mutate/mutating-policy.ts';
export { mutate } from './mutate/mutate.ts';
export type { MutateLimits, MutationRun, MutationVerdict, MutationWorld } from './mutate/mutate.ts';
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
export { builtInKind, isDefinitionKind, judgeBuiltInWrite, judgeDefinitionWrite, withBuiltInDefaults } from './admission/builtin-write.ts';
export { growingParts, growParts } from './growth/part-growth.ts';
export type { GrowingPart, PartGrowth } from './growth/part-growth.ts';
export type { PartUnit } from './growth/object-parts.ts';
export { compileSubject, probePolicy, probeSubject, requestFacts } from './growth/probe-policy.ts';
export type { CompiledSubject, PolicyProbe, ProbedExpression, ProbedPolicy, RequestFacts, SampleRequest } from './growth/probe-policy.ts';
export { MULTIPLIED, multiplyPolicy } from './growth/multiply-policy.ts';
export type { Multiplied, MultipliedPolicy, PolicySubject } from './growth/multiply-policy.ts';
export { growCount, growSizes, probeAt, stopOf } from './growth/count-growth.ts';
export type { CountGrowth, SizedPart, SizedProbe } from './growth/count-growth.ts';
export { helpfulChanges } from './growth/policy-helps.ts';
export type { HelpfulChange } from './growth/policy-helps.ts';
export { reviewPolicy } from './write/review-policy.ts';
export type { PolicyReview } from './write/review-policy.ts';
export type { PolicyWriteOptions } from './write/head-write.ts';
export type { DefinitionWriteOptions } from './admission/builtin-write.ts';
