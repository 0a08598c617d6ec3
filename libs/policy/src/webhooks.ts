import type { EngineChoice, Variables } from '#cel';
import { compareBytes } from '#go';
import type { CancellationToken, JsonObject } from '#go';
import type { Minor } from '#kube';
import { ExpressionCompiler, expressionList } from './expressions/compile-expressions.ts';
import type { ExpressionList } from './expressions/compile-expressions.ts';
import { evaluateList } from './expressions/evaluate-expressions.ts';
import type { ProgramRun } from './expressions/evaluate-expressions.ts';
import { RequestValues } from './expressions/request-values.ts';
import type { MatchedAs } from './expressions/request-values.ts';
import { compileMatch, isExcluded, matchNamespace, matchObject, matchResourceRules } from './match/match-request.ts';
import type { CompiledMatch } from './match/match-request.ts';
import { policyHas } from './minors.ts';
import { Fields } from './read/fields.ts';
import { readMatchResources } from './read/match-resources.ts';
import type { MatchResources } from './read/match-resources.ts';
import { readNamedExpression } from './read/policy.ts';
import type { NamedExpression } from './read/policy.ts';
import { forbiddenMessage } from './request/admission-request.ts';
import type { AdmissionRequest } from './request/admission-request.ts';
import type { CompilePolicyOptions } from './validate/compiled-policy.ts';
import { judgeConditions, MATCH_CONDITIONS_BUDGET } from './validate/evaluate-policy.ts';
import type { PolicyRefusal } from './validate/verdict.ts';
import type { World } from './world.ts';

/**
 * Fields of a webhook that determine for which requests the webhook is called. Source: k8s.io/api/admissionregistration/v1/types.go
 * `ValidatingWebhook` (1.37).
 */
interface Webhook {
  readonly name: string;
  readonly match: MatchResources;
  readonly failurePolicy: string;
  readonly matchConditions: readonly NamedExpression[];
}

/**
 * Reads the webhooks of a ValidatingWebhookConfiguration or MutatingWebhookConfiguration. Throws `Unreadable` if a field has a wrong type.
 */
export function readWebhooks(document: JsonObject): readonly Webhook[] {
  return new Fields(document, '').list('webhooks', (value, path) => {
    const fields = new Fields(value, path);
    return {
      name: fields.text('name'),
      match: readMatchResources(fields, 'rules'),
      failurePolicy: fields.optionalText('failurePolicy') ?? 'Fail',
      matchConditions: fields.list('matchConditions', readNamedExpression),
    };
  });
}

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

/** Webhook with the name of the configuration that contains it. */
export interface ConfiguredWebhook {
  readonly configuration: string;
  readonly compiled: CompiledWebhook;
}

/** Decision about calling one webhook for a request, in the form that is returned to callers. */
export interface WebhookDecision {
  readonly configuration: string;
  readonly webhook: string;
  /** True if the server would call the webhook. Assay never calls webhooks, so the response is unknown. */
  readonly called: boolean;
  /** CEL cost of the webhook's match conditions, in cost units. */
  readonly cost: number;
  /** Error that prevented the decision and caused the refusal of the request. Undefined if there is no error. */
  readonly error?: string;
}

/**
 * Decisions if a server would call each webhook for a request, up to the first refusal. The request is refused if the evaluation of a
 * webhook's selectors, rules or match conditions fails.
 */
export interface WebhookFindings {
  readonly webhooks: readonly WebhookDecision[];
  readonly refusal: PolicyRefusal | undefined;
}

/**
 * Compiles the webhooks of several configurations. The configurations are sorted by name, as in a server. Throws `Unreadable` if a field
 * has a wrong type, and `Cancelled` if the token requests cancellation. Source:
 * k8s.io/apiserver/pkg/admission/configuration/validating_webhook_manager.go (1.37).
 */
export function compileConfigurations(
  documents: readonly JsonObject[],
  { minor, engine, token }: CompilePolicyOptions,
): readonly ConfiguredWebhook[] {
  return documents
    .map((document) => ({ name: new Fields(document, '').object('metadata').text('name'), document }))
    .toSorted((a, b) => compareBytes(a.name, b.name))
    .flatMap(({ name, document }) =>
      readWebhooks(document).map((webhook) => ({ configuration: name, compiled: compileWebhook(webhook, minor, engine, token) })),
    );
}

/**
 * Decides for each webhook if a server would call it for a request; no webhook is really called. Stops if an error in a webhook's
 * selectors, rules or match conditions refuses the request. Source: k8s.io/apiserver/pkg/admission/plugin/webhook/validating/dispatcher.go
 * `Dispatch` (1.37).
 */
export function askWebhooks(
  hooks: readonly ConfiguredWebhook[],
  request: AdmissionRequest,
  world: World,
  token?: CancellationToken,
): WebhookFindings {
  const webhooks: WebhookDecision[] = [];
  if (isExempt(request, world.minor)) return { webhooks, refusal: undefined };
  for (const { configuration, compiled } of hooks) {
    const { name, call, refusal, evaluations } = callWebhook(compiled, request, world, token);
    const cost = evaluations.reduce((sum, evaluation) => sum + evaluation.cost, 0);
    webhooks.push({ configuration, webhook: name, called: call !== undefined, cost, ...(refusal && { error: refusal.message }) });
    if (refusal !== undefined) return { webhooks, refusal };
  }
  return { webhooks, refusal: undefined };
}

const CONFIGURATIONS: readonly string[] = ['validatingwebhookconfigurations', 'mutatingwebhookconfigurations'];
const ADMISSION_GROUP = 'admissionregistration.k8s.io';

/**
 * Returns true if no webhook is called for a request. This holds for requests on admission configuration and, in later Kubernetes minor
 * versions, for reviews. Source: k8s.io/apiserver/pkg/admission/plugin/webhook/predicates/rules/rules.go
 * `IsExemptAdmissionConfigurationResource` (1.30 to 1.37).
 */
function isExempt({ resource }: AdmissionRequest, minor: Minor): boolean {
  if (resource.group === ADMISSION_GROUP) return isExcluded(resource) || CONFIGURATIONS.includes(resource.resource);
  return policyHas(minor, 'reviewsMeetNoWebhooks') && isExcluded(resource);
}
