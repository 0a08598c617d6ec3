import { copyJson } from '#go';
import { badRequestStatus, internalErrorStatus, messageNote } from '#kube';
import { mutate } from '../mutate/mutate.ts';
import type { MutationVerdict } from '../mutate/mutate.ts';
import { admit } from '../validate/admit.ts';
import { buildRequest } from '../request/admission-request.ts';
import type { AdmissionRequest, RequestDescription, UserInfo } from '../request/admission-request.ts';
import { askWebhooks } from '../webhooks.ts';
import type { WebhookDecision, ConfiguredWebhook } from '../webhooks.ts';
import type { AdmissionAnswer, AdmittedWrite, MutationAnswer, WriteAdmission } from '#crd';
import type { CancellationToken } from '#go';
import type { Status } from '#kube';
import type { AdmissionPolicies } from './policy-documents.ts';
import type { AdmissionVerdict, PolicyRefusal } from '../validate/verdict.ts';
import type { ProgramRun } from '../expressions/evaluate-expressions.ts';
import type { AuthorizationRule } from '../expressions/table-authorizer.ts';

/** Context that a request has besides its objects: the user, the rules that decide authorizer checks, and the token for cancellation. */
export interface WriteContext {
  readonly user: UserInfo | undefined;
  readonly authorizer: readonly AuthorizationRule[];
  readonly token: CancellationToken | undefined;
}

/** Results of the admission policies and webhooks for one create or update of an object. */
export interface PolicyFindings {
  /** Values that the policies add to the audit event, by key. */
  readonly auditAnnotations: Readonly<Record<string, string>>;
  /** Total cost of all evaluated expressions, including variables, in CEL cost units. */
  readonly cost: number;
  readonly policies: readonly AppliedPolicy[];
  /** Notes in the words of Assay about expressions that a server passes over without a word. */
  readonly hints: readonly string[];
  /**
   * Decisions for each webhook whether a server would call it, in the order of the calls. If the write is rejected, the webhooks that would
   * follow are left out.
   */
  readonly webhooks: readonly WebhookDecision[];
  /** Request that the validating policies received. Undefined if the validating policies were not evaluated. */
  readonly request: AdmissionRequest | undefined;
  /** Request that the mutating policies received. Undefined if the mutating policies were not evaluated. */
  readonly mutationRequest: AdmissionRequest | undefined;
}

/** Evaluation of a policy that applies to the request. For a mutating policy, each mutation has its own entry. */
export interface AppliedPolicy {
  readonly policy: string;
  /** Name of the binding. Undefined for a mutating policy. */
  readonly binding?: string;
  /** Name of the parameter object, preceded by its namespace and a slash if it has a namespace. Absent if there is no parameter object. */
  readonly param?: string;
  readonly cost: number;
  readonly expressions: readonly EvaluatedExpression[];
}

/**
 * Record of one evaluation of a policy's expression. `part` and `index` identify the expression in the policy, and `cost` is the cost of
 * this evaluation.
 */
export interface EvaluatedExpression {
  readonly part: string;
  readonly index: number;
  readonly name?: string;
  readonly cost: number;
}

/**
 * Admission of one create or update of an object by admission policies. It also records for each webhook whether a server would call the
 * webhook for this request.
 */
export class PolicyAdmission implements WriteAdmission {
  readonly #policies: AdmissionPolicies;
  readonly #context: WriteContext;
  #mutations: MutationVerdict | undefined;
  #verdict: AdmissionVerdict | undefined;
  #request: AdmissionRequest | undefined;
  #mutationRequest: AdmissionRequest | undefined;
  readonly #webhooks: WebhookDecision[] = [];

  constructor(policies: AdmissionPolicies, context: WriteContext) {
    this.#policies = policies;
    this.#context = context;
  }

  /** Results of the policies and webhooks. Undefined if the write ended before any policy or webhook was evaluated. */
  get findings(): PolicyFindings | undefined {
    const isEvaluated = this.#verdict !== undefined || this.#mutations !== undefined || this.#webhooks.length > 0;
    return isEvaluated
      ? { ...findingsOf(this.#verdict, this.#mutations, this.#webhooks), request: this.#request, mutationRequest: this.#mutationRequest }
      : undefined;
  }

  mutate({ operation, subresource, object, oldObject }: AdmittedWrite): MutationAnswer {
    const { kinds, minor, mutating, webhooks } = this.#policies;
    const { user, authorizer, token } = this.#context;
    if (mutating === undefined || mutating.hooks.length === 0) {
      const described = { operation, subresource, object, oldObject };
      return { object, refusal: webhooks.mutating.length === 0 ? undefined : this.#askMutating(described), warnings: [] };
    }
    const built = buildRequest({ operation, subresource, object: copyJson(object), oldObject, user }, kinds, minor);
    if (!built.ok) return { object, refusal: badRequestStatus(built.error), warnings: [] };
    this.#mutationRequest = built.request;
    const verdict = mutate(mutating, built.request, this.#policies.world(built.request.namespace, authorizer), { token });
    this.#mutations = verdict;
    if (verdict.panic !== undefined) return { object, refusal: internalErrorStatus(`panic: ${verdict.panic}`), warnings: [] };
    const mutated = verdict.object ?? object;
    const refusal = verdict.refusal
      ? refusalStatus(verdict.refusal, built.request)
      : this.#askMutating({ operation, subresource, object: mutated, oldObject });
    return { object: mutated, refusal, warnings: [] };
  }

  validate({ operation, subresource, object, oldObject }: AdmittedWrite): AdmissionAnswer {
    // The policies get a copy, so that they cannot change the object that the server stores next.
    return this.#validate({ operation, subresource, object: copyJson(object), oldObject });
  }

  /** Computes the answer to a request to which only policies and webhooks apply. The user of the request is taken from the context. */
  judge(description: Omit<RequestDescription, 'user'>): AdmissionAnswer {
    const refusal = this.#askMutating(description);
    return refusal === undefined ? this.#validate(description) : { refusal, warnings: [] };
  }

  /**
   * Evaluates the match conditions of mutating webhooks. In a server, these webhooks follow the mutating policies. Returns the Status if
   * the request is refused.
   */
  #askMutating(description: Omit<RequestDescription, 'user'>): Status | undefined {
    const { kinds, minor, webhooks } = this.#policies;
    if (webhooks.mutating.length === 0) return undefined;
    const object = description.object && copyJson(description.object);
    const built = buildRequest({ ...description, object, user: this.#context.user }, kinds, minor);
    return built.ok ? this.#ask(webhooks.mutating, built.request) : badRequestStatus(built.error);
  }

  /** Records whether each webhook would be called. Returns the refusal of the first webhook whose match conditions cause an error. */
  #ask(hooks: readonly ConfiguredWebhook[], request: AdmissionRequest): Status | undefined {
    const { authorizer, token } = this.#context;
    const { webhooks, refusal } = askWebhooks(hooks, request, this.#policies.world(request.namespace, authorizer), token);
    this.#webhooks.push(...webhooks);
    return refusal && refusalStatus(refusal, request);
  }

  #validate(description: Omit<RequestDescription, 'user'>): AdmissionAnswer {
    const { kinds, minor, validating } = this.#policies;
    const { user, authorizer, token } = this.#context;
    const built = buildRequest({ ...description, user }, kinds, minor);
    if (!built.ok) return { refusal: badRequestStatus(built.error), warnings: [] };
    const verdict = admit(validating, built.request, this.#policies.world(built.request.namespace, authorizer), { token });
    this.#verdict = verdict;
    this.#request = built.request;
    const refusal = verdict.refusal
      ? refusalStatus(verdict.refusal, built.request)
      : this.#ask(this.#policies.webhooks.validating, built.request);
    return { refusal, warnings: verdict.warnings };
  }
}

/**
 * Returns the Status for a refusal by a policy or webhook. Source: k8s.io/apiserver/pkg/admission/errors.go `NewForbidden`,
 * plugin/policy/validating/dispatcher.go (1.37).
 */
function refusalStatus({ code, reason, message, causes }: PolicyRefusal, { resource, name }: AdmissionRequest): Status {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    reason,
    details: {
      ...(name !== '' && { name }),
      ...(resource.group !== '' && { group: resource.group }),
      kind: resource.resource,
      ...(causes.length > 0 && { causes: causes.map((text) => ({ message: text })) }),
    },
    code,
  };
}

function findingsOf(
  validated: AdmissionVerdict | undefined,
  mutated: MutationVerdict | undefined,
  webhooks: readonly WebhookDecision[],
): Omit<PolicyFindings, 'request' | 'mutationRequest'> {
  const mutations = (mutated?.mutations ?? []).map(({ policy, param, evaluations }) => applied({ policy, param }, evaluations));
  const validations = (validated?.policies ?? []).flatMap(({ policy, bindings }) =>
    bindings.flatMap(({ binding, runs }) => runs.map(({ param, evaluations }) => applied({ policy, binding, param }, evaluations))),
  );
  const policies = [...mutations, ...validations];
  const cost = sumOf(policies) + sumOf(webhooks);
  const hints = messageHints(validated?.policies ?? []);
  return { auditAnnotations: Object.fromEntries(validated?.auditAnnotations ?? []), cost, policies, hints, webhooks };
}

/** Maximum number of notes about one request. */
const MAX_HINTS = 20;

/** Returns notes about messageExpressions of failed validations that have no effect, each once. */
function messageHints(policies: AdmissionVerdict['policies']): readonly string[] {
  const hints = policies.flatMap(({ policy, bindings }) =>
    bindings.flatMap(({ runs }) =>
      runs.flatMap(({ decisions }) =>
        decisions.flatMap(({ unusedMessage }, i) =>
          unusedMessage === undefined ? [] : [messageNote(`validation ${i} of ValidatingAdmissionPolicy '${policy}'`, unusedMessage)],
        ),
      ),
    ),
  );
  return [...new Set(hints)].slice(0, MAX_HINTS);
}

function applied(
  { policy, binding, param }: { readonly policy: string; readonly binding?: string; readonly param: string },
  evaluations: readonly ProgramRun[],
): AppliedPolicy {
  const expressions = evaluations.map(({ part, index, name, cost }) => ({ part, index, ...(name !== undefined && { name }), cost }));
  return { policy, ...(binding !== undefined && { binding }), ...(param !== '' && { param }), cost: sumOf(expressions), expressions };
}

const sumOf = (priced: readonly { readonly cost: number }[]): number => priced.reduce((sum, { cost }) => sum + cost, 0);
