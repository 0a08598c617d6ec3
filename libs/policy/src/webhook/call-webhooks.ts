import { ExpressionCompiler, expressionList } from '../expressions/compile-expressions.ts';
import { evaluateList } from '../expressions/evaluate-list.ts';
import { RequestValues } from '../expressions/request-values.ts';
import { compileMatch, matchNamespace, matchObject, matchResourceRules } from '../match/match-request.ts';
import { forbiddenMessage } from '../request/forbidden.ts';
import { judgeConditions, MATCH_CONDITIONS_BUDGET } from '../validate/evaluate-policy.ts';
import type { EngineChoice, Variables } from '#cel';
import type { CancellationToken } from '#go';
import type { Minor } from '#kube';
import type { AdmissionRequest } from '../request/admission-request.ts';
import type { CompiledMatch } from '../match/match-request.ts';
import type { ExpressionList } from '../expressions/compile-expressions.ts';
import type { MatchedAs } from '../expressions/request-value.ts';
import type { ProgramRun } from '../expressions/evaluate-list.ts';
import type { Webhook } from '../read/webhook.ts';
import type { PolicyRefusal } from '../validate/verdict.ts';
import type { World } from '../world.ts';

/** Webhook with compiled match criteria, which decide for which requests the server calls the webhook. */
export interface CompiledWebhook {
  readonly webhook: Webhook;
  readonly match: CompiledMatch;
  readonly matchConditions: ExpressionList;
}

/** Decision about calling one webhook for a request. */
export interface WebhookCall {
  readonly name: string;
  /** Resource and kind under which the webhook would receive the request. Undefined if the webhook would not be called. */
  readonly call: MatchedAs | undefined;
  /** Refusal of the whole request because the decision about the webhook failed. Undefined if the request is not refused. */
  readonly refusal: PolicyRefusal | undefined;
  readonly evaluations: readonly ProgramRun[];
}

/** Compiles the match criteria of a webhook. The match conditions of webhooks cannot use `params` or `variables`. */
export function compileWebhook(
  webhook: Webhook,
  minor: Minor,
  engine: EngineChoice | undefined,
  token?: CancellationToken,
): CompiledWebhook {
  const compiler = new ExpressionCompiler({ minor, use: 'stored', engine, hasParams: false, hasVariables: false, token });
  return {
    webhook,
    match: compileMatch(webhook.match),
    matchConditions: expressionList(
      webhook.matchConditions.map(({ name, expression }, i) => compiler.compile('matchCondition', expression, i, name)),
      [],
    ),
  };
}

/**
 * Decides if the server would call a webhook for a request. The decision depends on selectors, rules and match conditions. Source:
 * k8s.io/apiserver/pkg/admission/plugin/webhook/generic/webhook.go `ShouldCallHook` (1.37).
 */
export function callWebhook(
  { webhook, match, matchConditions }: CompiledWebhook,
  request: AdmissionRequest,
  world: World,
  token?: CancellationToken,
): WebhookCall {
  const runs: ProgramRun[] = [];
  const outcome = (call: MatchedAs | undefined, refusal?: PolicyRefusal): WebhookCall => ({
    name: webhook.name,
    call,
    refusal,
    evaluations: runs,
  });
  const inNamespace = matchNamespace(match.namespaceSelector, request, world.namespaces);
  if (inNamespace === false) return outcome(undefined);
  const asObject = matchObject(match.objectSelector, request);
  if (asObject === false) return outcome(undefined);
  const matched = matchResourceRules(match.resourceRules, match.matchPolicy, request, world.kinds);
  if (matched === 'no') return outcome(undefined);
  if ('error' in matched) return outcome(undefined, internal(`Internal error occurred: ${matched.error}`));
  for (const selected of [inNamespace, asObject]) if (selected !== true) return outcome(undefined, selectorRefusal(selected.error));
  if (matchConditions.expressions.length === 0) return outcome(matched);
  const seen = new RequestValues(request, world);
  const as = { kind: matched.kind, resource: request.resource };
  const values = (mentioned: ReadonlySet<string>): Variables =>
    seen.of(as, { namespace: undefined, params: undefined, authorizer: true }, mentioned);
  const list = evaluateList(matchConditions, { values, budget: MATCH_CONDITIONS_BUDGET, runs, token });
  const judged = judgeConditions(list, webhook.failurePolicy);
  if (judged === 'yes') return outcome(matched);
  if (judged === 'no') return outcome(undefined);
  return outcome(undefined, { code: 403, reason: 'Forbidden', message: forbiddenMessage(request, judged.error, 'request'), causes: [] });
}

const internal = (message: string): PolicyRefusal => ({ code: 500, reason: 'InternalError', message, causes: [] });

/** Returns the refusal for a failed selector. It is `NotFound` if the namespace does not exist, or an internal error in all other cases. */
function selectorRefusal(message: string): PolicyRefusal {
  return message.endsWith('not found') ? { code: 404, reason: 'NotFound', message, causes: [] } : internal(message);
}
