import { goTrim, utf8Length } from '#go';
import { aggregatedTexts, unusedMessage } from '#kube';
import { evaluateList } from '../expressions/evaluate-expressions.ts';
import type { ExpressionResult, ListResult, ProgramRun } from '../expressions/evaluate-expressions.ts';
import type { Variables } from '#cel';
import type { CancellationToken } from '#go';
import type { AuditAnnotation, Validation } from '../read/policy.ts';
import type { ExpressionList } from '../expressions/compile-expressions.ts';
import type { AnnotationOutcome, Decision, PolicyRun } from './verdict.ts';
import type { CompiledPolicy } from './compiled-policy.ts';

/** Cost budget for the match conditions of a policy, in cost units. Source: k8s.io/apiserver/pkg/apis/cel/config.go (1.37). */
export const MATCH_CONDITIONS_BUDGET = 2_500_000;

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
  const { text, why } = messageOf(messages.results[index], validation.messageExpression);
  const message = text || goTrim(validation.message) || `failed expression: ${goTrim(validation.expression)}`;
  const reason = validation.reason ?? 'Invalid';
  return { action: 'deny', evaluation: 'deny', message, reason, ...(why !== undefined && { unusedMessage: why }) };
}

/**
 * Returns the message that a messageExpression returned. Returns the empty string and the reason if the expression failed, or if a server
 * does not show its value. `result` is undefined if there is no expression.
 */
function messageOf(result: ExpressionResult, expression: string): { readonly text: string; readonly why?: string | undefined } {
  if (result === undefined) return { text: '' };
  if (!result.ok) return { text: '', why: result.error.replace(`expression '${expression}' resulted in error: `, '') };
  if (typeof result.value !== 'string') return { text: '', why: 'its value is no text' };
  const text = goTrim(result.value);
  const why = unusedMessage(text, utf8Length(text));
  return { text: why === undefined ? text : '', why };
}

function annotate({ key }: AuditAnnotation, result: ExpressionResult, failurePolicy: string): AnnotationOutcome {
  if (result?.ok === false) return { key, action: failurePolicy === 'Ignore' ? 'exclude' : 'error', value: '', error: result.error };
  const value = typeof result?.value === 'string' ? goTrim(result.value) : '';
  return { key, action: value === '' ? 'exclude' : 'publish', value, error: '' };
}
