import { compareBytes } from '#go';
import { Fields } from '../read/fields.ts';
import { readWebhooks } from '../read/webhook.ts';
import { isExcluded } from '../validate/excluded-resources.ts';
import { policyHas } from '../minors.ts';
import { callWebhook, compileWebhook } from './call-webhooks.ts';
import type { CancellationToken, JsonObject } from '#go';
import type { Minor } from '#kube';
import type { AdmissionRequest } from '../request/admission-request.ts';
import type { CompilePolicyOptions } from '../validate/compiled-policy.ts';
import type { PolicyRefusal } from '../validate/verdict.ts';
import type { World } from '../world.ts';
import type { CompiledWebhook } from './call-webhooks.ts';

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
