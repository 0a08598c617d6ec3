import { goTrim, utf8Length } from '#go';
import { aggregatedTexts } from '#kube';
import { evaluateList } from '../expressions/evaluate-list.ts';
import type { Variables } from '#cel';
import type { CancellationToken } from '#go';
import type { AuditAnnotation, Validation } from '../read/policy.ts';
import type { ExpressionList } from '../expressions/compile-expressions.ts';
import type { ExpressionResult, ListResult, ProgramRun } from '../expressions/evaluate-list.ts';
import type { AnnotationOutcome, Decision, PolicyRun } from './verdict.ts';
import type { CompiledPolicy } from './compiled-policy.ts';

/** Cost budget for the match conditions of a policy, in cost units. Source: k8s.io/apiserver/pkg/apis/cel/config.go (1.37). */
export const MATCH_CONDITIONS_BUDGET = 2_500_000;
/**
 * Maximum size of the message that a message expression returns, in bytes. Source: k8s.io/apiserver/pkg/apis/cel/config.go
 * `MaxEvaluatedMessageExpressionSizeBytes` (1.37).
 */
const MAX_MESSAGE_BYTES = 5 * 1024;

/** Function that returns the values of the variables in `mentioned`. */
type Values = (mentioned: ReadonlySet<string>) => Variables;

/** Values of variables for each kind of expression list in a policy. Each kind of list can use different variables. */
export interface PolicyValues {
  /** Values for match conditions, without the namespace object. */
  readonly matchConditions: Values;
  readonly validations: Values;
  /** Values for messages and audit annotations, without the authorizer. */
  readonly others: Values;
}

/** Limits for one evaluation of a policy. */
export interface PolicyLimits {
  /** Cost budget, in cost units. Validations and messages share one budget of this size, and audit annotations share a second one. */
  readonly budget: number;
  readonly token: CancellationToken | undefined;
}

/**
 * Evaluates a policy: match conditions → validations → messages → audit annotations. Source:
 * k8s.io/apiserver/pkg/admission/plugin/policy/validating/validator.go `Validate` (1.37).
 */
export function evaluatePolicy(compiled: CompiledPolicy, values: PolicyValues, { budget, token }: PolicyLimits): Omit<PolicyRun, 'param'> {
  const { policy } = compiled;
  const runs: ProgramRun[] = [];
  const run = (list: ExpressionList, known: Values, limit: number): ListResult =>
    evaluateList(list, { values: known, budget: limit, runs, token });
  const outcome = (decisions: readonly Decision[], auditAnnotations: readonly AnnotationOutcome[] = []): Omit<PolicyRun, 'param'> => ({
    decisions,
    auditAnnotations,
    evaluations: runs,
  });
  const fail = (error: string): Omit<PolicyRun, 'param'> => outcome([errorDecision(error, policy.failurePolicy)]);

  const conditions = judgeConditions(run(compiled.matchConditions, values.matchConditions, MATCH_CONDITIONS_BUDGET), policy.failurePolicy);
  if (conditions === 'no') return outcome([]);
  if (conditions !== 'yes') return fail(conditions.error);
  const validated = run(compiled.validations, values.validations, budget);
  if (!validated.ok) return fail(validated.error);
  const messages = run(compiled.messages, values.others, validated.remaining);
  const decisions = policy.validations.map((validation, i) => decide(validation, validated.results[i], messages, i, policy.failurePolicy));
  const annotated = run(compiled.auditAnnotations, values.others, budget);
  if (!annotated.ok) return fail(annotated.error);
  return outcome(
    decisions,
    policy.auditAnnotations.map((annotation, i) => annotate(annotation, annotated.results[i], policy.failurePolicy)),
  );
}

/**
 * Decides from the results of match conditions if a policy or webhook applies. If a condition is false, the result is `no`, even if other
 * conditions failed. Source: k8s.io/apiserver/pkg/admission/plugin/webhook/matchconditions/matcher.go (1.37).
 */
export function judgeConditions(list: ListResult, failurePolicy: string): 'yes' | 'no' | { readonly error: string } {
  const failed = (error: string): 'no' | { readonly error: string } => (failurePolicy === 'Ignore' ? 'no' : { error });
  if (!list.ok) return failed(list.error);
  if (list.results.some((result) => result?.ok === true && result.value === false)) return 'no';
  const errors = list.results.flatMap((result) => (result?.ok === false ? [result.error] : []));
  const aggregate = aggregatedTexts(errors);
  return aggregate === undefined ? 'yes' : failed(aggregate);
}

function errorDecision(message: string, failurePolicy: string): Decision {
  return { action: failurePolicy === 'Ignore' ? 'admit' : 'deny', evaluation: 'error', message, reason: '' };
}

const ADMIT: Decision = { action: 'admit', evaluation: 'admit', message: '', reason: '' };

function decide(validation: Validation, result: ExpressionResult, messages: ListResult, index: number, failurePolicy: string): Decision {
  if (result?.ok === false) return errorDecision(result.error, failurePolicy);
  if (!messages.ok) return errorDecision(`failed messageExpression: ${messages.error}`, failurePolicy);
  if (result?.value === true) return ADMIT;
  const message = messageOf(messages.results[index]) || goTrim(validation.message) || `failed expression: ${goTrim(validation.expression)}`;
  return { action: 'deny', evaluation: 'deny', message, reason: validation.reason ?? 'Invalid' };
}

/**
 * Returns the message that a messageExpression returned. Returns the empty string if the value is not a string, is too long or has several
 * lines.
 */
function messageOf(result: ExpressionResult): string {
  if (result?.ok !== true || typeof result.value !== 'string') return '';
  const message = goTrim(result.value);
  return utf8Length(message) > MAX_MESSAGE_BYTES || message.includes('\n') ? '' : message;
}

function annotate({ key }: AuditAnnotation, result: ExpressionResult, failurePolicy: string): AnnotationOutcome {
  if (result?.ok === false) return { key, action: failurePolicy === 'Ignore' ? 'exclude' : 'error', value: '', error: result.error };
  const value = typeof result?.value === 'string' ? goTrim(result.value) : '';
  return { key, action: value === '' ? 'exclude' : 'publish', value, error: '' };
}
