import { Cancelled } from '#go';
import { OBJECT_BUDGET } from '#kube';
import { RequestValues } from '../expressions/request-values.ts';
import type { MatchedAs } from '../expressions/request-values.ts';
import { isExcluded, matchRequest } from '../match/match-request.ts';
import { collectParams, paramKindOf, paramName } from '../params.ts';
import type { ParamObject } from '../params.ts';
import { forbiddenMessage } from '../request/admission-request.ts';
import type { AdmissionRequest } from '../request/admission-request.ts';
import { AuditEvent, PolicyAnnotations } from './audit-event.ts';
import { evaluatePolicy } from './evaluate-policy.ts';
import type { CancellationToken } from '#go';
import type { CompiledBinding, CompiledPolicy, CompiledPolicySet, PolicyHook } from './compiled-policy.ts';
import type { KnownKind } from '../request/kinds.ts';
import type { HeldObject } from '../request/held-object.ts';
import type { World } from '../world.ts';
import type { AdmissionVerdict, BindingOutcome, PolicyOutcome, PolicyRun, PolicyRefusal } from './verdict.ts';

/**
 * Total length of all warnings, in code points, above which each warning is shortened. Source:
 * k8s.io/apiserver/pkg/endpoints/filters/warning.go (1.37).
 */
const ALL = 4 * 1024;
/** Length in code points to which each warning is shortened if the total length exceeds `ALL`. */
const EACH = 256;

/** Pattern of control characters, which a header must not contain. The server does not send warnings that contain a control character. */
const CONTROL = /\p{Cc}/u;

/** Warnings of one request. Each text is sent only once. If the total length is too large, all texts are shortened. */
export class PolicyWarnings {
  readonly #texts = new Set<string>();
  #sent: string[] = [];
  #written = 0;
  #cutting = false;

  add(text: string): void {
    if (text === '' || (this.#cutting && this.#written >= ALL) || this.#texts.has(text)) return;
    this.#texts.add(text);
    if (!this.#cutting && CONTROL.test(text)) return;
    if (!this.#cutting && this.#written + [...text].length > ALL) {
      this.#cutting = true;
      this.#written = 0;
      this.#sent = [];
      for (const known of this.#texts) this.#send(known);
    } else this.#send(text);
  }

  /** Warnings that are sent to the client. */
  get sent(): readonly string[] {
    return this.#sent;
  }

  #send(text: string): void {
    const characters = [...text];
    if (CONTROL.test(text)) return;
    const shortened = this.#cutting ? characters.slice(0, EACH) : characters;
    this.#written += shortened.length;
    this.#sent.push(shortened.join(''));
  }
}

/** Limits for the evaluation of validating policies. */
export interface AdmitLimits {
  /** Cost budget for the validations of one policy, in cost units. Default: the budget of the server. */
  readonly budget?: number | undefined;
  readonly token?: CancellationToken | undefined;
}

/**
 * Evaluates the ValidatingAdmissionPolicies for a request. It matches each policy and its bindings, evaluates the policy for each parameter
 * object, and applies the actions of the bindings to the decisions. Throws {@link Cancelled} if the token requests cancellation. Source:
 * k8s.io/apiserver/pkg/admission/plugin/policy/validating/dispatcher.go `Dispatch` (1.37).
 */
export function admit(set: CompiledPolicySet, request: AdmissionRequest, world: World, limits: AdmitLimits = {}): AdmissionVerdict {
  const admission = new Admission(set, request, world, limits);
  if (isExcluded(request.resource)) return admission.verdict();
  for (const hook of set.hooks) {
    if (limits.token?.cancelled === true) throw new Cancelled();
    if (!admission.ask(hook)) break;
  }
  return admission.verdict();
}

/** Denial of a request, with its reason and with the policy and binding that caused it. */
interface Denial {
  readonly policy: string;
  readonly binding: string | undefined;
  readonly message: string;
  /** Reason of the denial; an empty reason means `Invalid`. */
  readonly reason: string;
}

/** State of one request while the policies are evaluated. */
class Admission {
  readonly #request: AdmissionRequest;
  readonly #world: World;
  readonly #limits: AdmitLimits;
  readonly #values: RequestValues;
  readonly #warnings = new PolicyWarnings();
  readonly #audit: AuditEvent;
  readonly #outcomes: PolicyOutcome[] = [];
  readonly #denials: Denial[] = [];
  /** Refusal that ends the request before the remaining policies are evaluated. */
  #abort: PolicyRefusal | undefined;

  constructor(set: CompiledPolicySet, request: AdmissionRequest, world: World, limits: AdmitLimits) {
    this.#request = request;
    this.#world = world;
    this.#limits = limits;
    this.#values = new RequestValues(request, world);
    this.#audit = new AuditEvent(set.minor);
  }

  /** Evaluates one policy with its bindings. Returns false if a refusal ends the request, so that no more policies may be evaluated. */
  ask({ compiled, bindings }: PolicyHook): boolean {
    const { policy, match } = compiled;
    const matched = match === undefined ? { error: NO_CONSTRAINTS } : matchRequest(match, this.#request, this.#world);
    const applies = matched !== 'no' && !('error' in matched);
    const error = matched !== 'no' && 'error' in matched ? matched.error : undefined;
    const outcomes: BindingOutcome[] = [];
    this.#outcomes.push({ policy: policy.name, matched: applies ? matched : undefined, error, bindings: outcomes });
    if (error !== undefined) this.#misconfigured(compiled, undefined, error);
    if (!applies) return true;
    const paramKind = paramKindOf(compiled.policy.paramKind, this.#world.kinds);
    if (paramKind !== undefined && 'error' in paramKind) {
      this.#misconfigured(compiled, undefined, paramKind.error);
      return true;
    }
    const annotations = new PolicyAnnotations();
    for (const binding of bindings) {
      const outcome = this.#evaluateBinding({ compiled, binding, matched, paramKind, annotations });
      outcomes.push(outcome);
      if (this.#abort !== undefined) return false;
    }
    annotations.publish(policy.name, this.#audit);
    return true;
  }

  verdict(): AdmissionVerdict {
    if (this.#abort === undefined) this.#audit.end();
    return {
      refusal: this.#abort ?? this.#refusal(),
      warnings: this.#warnings.sent,
      auditAnnotations: this.#audit.annotations,
      policies: this.#outcomes,
    };
  }

  /** Returns the refusal for the first denial, or undefined if there is no denial. Later denials are not reported. */
  #refusal(): PolicyRefusal | undefined {
    const [denial] = this.#denials;
    if (denial === undefined) return undefined;
    const { policy, binding, reason } = denial;
    const by = `ValidatingAdmissionPolicy '${policy}'${binding === undefined ? '' : ` with binding '${binding}'`}`;
    const cause = `${by} denied request: ${denial.message}`;
    const named = reason === '' ? 'Invalid' : reason;
    return { code: CODES[named] ?? INVALID, reason: named, message: forbiddenMessage(this.#request, cause), causes: [cause] };
  }

  #evaluateBinding(evaluation: BindingEvaluation): BindingOutcome {
    const { compiled, binding, matched, paramKind } = evaluation;
    const { name, paramRef } = binding.binding;
    const applies = binding.match === undefined ? matched : matchRequest(binding.match, this.#request, this.#world);
    const none = { binding: name, matched: false, error: undefined, runs: [] };
    if (applies === 'no') return none;
    if ('error' in applies) {
      this.#misconfigured(compiled, name, applies.error);
      return { ...none, error: applies.error };
    }
    const collected = collectParams(paramKind, paramRef, this.#request.namespace, this.#world.params);
    if (!collected.ok) {
      this.#misconfigured(compiled, name, collected.error);
      return { ...none, matched: true };
    }
    const namespace = this.#namespace();
    if (namespace === 'missing') return { ...none, matched: true };
    const runs = collected.params.map((param) => this.#run(evaluation, param, namespace));
    for (const run of runs) this.#act(evaluation, run);
    return { ...none, matched: true, runs };
  }

  #run({ compiled, matched }: BindingEvaluation, param: ParamObject | undefined, namespace: HeldObject | undefined): PolicyRun {
    const params = compiled.policy.paramKind === undefined ? undefined : (param ?? null);
    const { budget = OBJECT_BUDGET, token } = this.#limits;
    const { resource } = this.#request;
    const values = {
      // Match conditions see the resource of the request, not the resource that the rules matched.
      matchConditions: (mentioned: ReadonlySet<string>) =>
        this.#values.of({ kind: matched.kind, resource }, { namespace: undefined, params, authorizer: true }, mentioned),
      validations: (mentioned: ReadonlySet<string>) => this.#values.of(matched, { namespace, params, authorizer: true }, mentioned),
      others: (mentioned: ReadonlySet<string>) => this.#values.of(matched, { namespace, params, authorizer: false }, mentioned),
    };
    return { param: param === undefined ? '' : paramName(param), ...evaluatePolicy(compiled, values, { budget, token }) };
  }

  /**
   * Applies the actions of the binding to the decisions of one evaluation of the policy. Records the resulting denials, audit entries and
   * warnings.
   */
  #act({ compiled, binding, annotations }: BindingEvaluation, run: PolicyRun): void {
    const { name: policy } = compiled.policy;
    const { name, validationActions, policyName } = binding.binding;
    for (const [expressionIndex, { action, message, reason }] of run.decisions.entries()) {
      if (action === 'admit') continue;
      for (const validationAction of validationActions) {
        if (validationAction === 'Deny') this.#denials.push({ policy, binding: name, message, reason });
        else if (validationAction === 'Audit')
          this.#audit.fail({ message, policy: policyName, binding: name, expressionIndex, validationActions });
        else if (validationAction === 'Warn')
          this.#warnings.add(`Validation failed for ValidatingAdmissionPolicy '${policy}' with binding '${name}': ${message}`);
      }
    }
    for (const { key, action, value, error } of run.auditAnnotations) {
      if (action === 'publish') annotations.add(key, value);
      // An audit annotation that fails denies the request, whatever the actions of the binding are.
      else if (action === 'error') this.#denials.push({ policy, binding: name, message: error, reason: '' });
    }
  }

  /**
   * Denies a request because the policy or binding itself is invalid. The actions of the binding do not matter. With the failure policy
   * `Ignore`, the request is not denied.
   */
  #misconfigured({ policy }: CompiledPolicy, binding: string | undefined, why: string): void {
    if (policy.failurePolicy === 'Ignore') return;
    const known = policy.failurePolicy === 'Fail';
    const what = binding === undefined ? 'policy' : 'binding';
    const message = known ? `failed to configure ${what}: ${why}` : `unrecognized failure policy: '${policy.failurePolicy}'`;
    this.#denials.push({ policy: policy.name, binding, message, reason: '' });
  }

  /**
   * Returns the Namespace object of the request, or `missing` if it does not exist. Returns undefined for cluster-scoped requests and for
   * requests on a Namespace itself.
   */
  #namespace(): HeldObject | 'missing' | undefined {
    const { kind, namespace } = this.#request;
    const isNamespace = kind.group === '' && kind.version === 'v1' && kind.kind === 'Namespace';
    if (isNamespace || namespace === '') return undefined;
    const found = this.#world.namespaces.shown(namespace);
    if (found !== undefined) return found;
    this.#abort = { code: 404, reason: 'NotFound', message: this.#world.namespaces.notFound(namespace, 'once'), causes: [] };
    return 'missing';
  }
}

/** Inputs for the evaluation of a policy under one binding. */
interface BindingEvaluation {
  readonly compiled: CompiledPolicy;
  readonly binding: CompiledBinding;
  readonly matched: MatchedAs;
  readonly paramKind: KnownKind | undefined;
  readonly annotations: PolicyAnnotations;
}

const NO_CONSTRAINTS = 'policy contained no match constraints, a required field';
const INVALID = 422;
/** HTTP codes of the reasons that a validation may name. Source: policy_decision.go `reasonToCode` (1.37). */
const CODES: Readonly<Record<string, number>> = { Forbidden: 403, Unauthorized: 401, RequestEntityTooLarge: 413, Invalid: INVALID };
