import type { JsonObject, JsonValue } from '#go';
import { Fields } from './fields.ts';
import { readLabelSelector } from './label-selector.ts';
import type { LabelSelector } from './label-selector.ts';
import { readMatchResources } from './match-resources.ts';
import type { MatchResources } from './match-resources.ts';

/** Variable or match condition: an expression with a name. */
export interface NamedExpression {
  readonly name: string;
  readonly expression: string;
}

/** Fields that validating and mutating policies have in common, with defaults. */
export interface PolicyHead {
  readonly name: string;
  /** Effect of an error: `Fail` rejects the request, and `Ignore` skips the policy. */
  readonly failurePolicy: string;
  readonly paramKind: ParamKind | undefined;
  /** Requests to which the policy applies. If it is undefined, the policy is invalid, which causes an error for every request. */
  readonly matchConstraints: MatchResources | undefined;
  readonly variables: readonly NamedExpression[];
  readonly matchConditions: readonly NamedExpression[];
}

/** Kind of a policy's parameter objects. */
export interface ParamKind {
  readonly apiVersion: string;
  readonly kind: string;
}

/** ValidatingAdmissionPolicy with defaults. Source: k8s.io/api/admissionregistration/v1/types.go (1.37). */
export interface ValidatingPolicy extends PolicyHead {
  readonly validations: readonly Validation[];
  readonly auditAnnotations: readonly AuditAnnotation[];
}

/** One validation rule of a policy. */
export interface Validation {
  readonly expression: string;
  readonly message: string;
  /** Expression that returns the message of a denial. Empty if the validation has no such expression. */
  readonly messageExpression: string;
  /** Reason of a denial. If it is undefined, the reason is Invalid. */
  readonly reason: string | undefined;
}

/** One annotation that a policy adds to the audit event. */
export interface AuditAnnotation {
  readonly key: string;
  readonly valueExpression: string;
}

/**
 * Reads a ValidatingAdmissionPolicy of any API version. All versions have the same fields. Throws `Unreadable` if a field has a wrong type.
 */
export function readValidatingPolicy(document: JsonObject): ValidatingPolicy {
  const spec = new Fields(document, '').object('spec');
  return {
    ...readPolicyHead(document),
    validations: spec.list('validations', readValidation),
    auditAnnotations: spec.list('auditAnnotations', (value, path) => {
      const fields = new Fields(value, path);
      return { key: fields.text('key'), valueExpression: fields.text('valueExpression') };
    }),
  };
}

/** Reads the fields that validating and mutating policies have in common. Throws `Unreadable` if a field has a wrong type. */
export function readPolicyHead(document: JsonObject): PolicyHead {
  const fields = new Fields(document, '');
  const spec = fields.object('spec');
  const paramKind = spec.optionalObject('paramKind');
  const matchConstraints = spec.optionalObject('matchConstraints');
  return {
    name: fields.object('metadata').text('name'),
    failurePolicy: spec.optionalText('failurePolicy') ?? 'Fail',
    paramKind: paramKind && { apiVersion: paramKind.text('apiVersion'), kind: paramKind.text('kind') },
    matchConstraints: matchConstraints && readMatchResources(matchConstraints, 'resourceRules'),
    variables: spec.list('variables', readNamedExpression),
    matchConditions: spec.list('matchConditions', readNamedExpression),
  };
}

/** Reads a variable or a match condition of a policy. `path` is its path in the policy. Throws `Unreadable` if a field has a wrong type. */
export function readNamedExpression(value: JsonValue, path: string): NamedExpression {
  const fields = new Fields(value, path);
  return { name: fields.text('name'), expression: fields.text('expression') };
}

function readValidation(value: JsonValue, path: string): Validation {
  const fields = new Fields(value, path);
  return {
    expression: fields.text('expression'),
    message: fields.text('message'),
    messageExpression: fields.text('messageExpression'),
    reason: fields.optionalText('reason'),
  };
}

/**
 * Binding of a validating or mutating policy. It limits the scope of the policy and selects its parameters. For a validating policy, it
 * also determines the effect of a denial. Source: k8s.io/api/admissionregistration/v1/types.go `ValidatingAdmissionPolicyBinding` (1.37).
 */
export interface PolicyBinding {
  readonly name: string;
  readonly policyName: string;
  readonly paramRef: ParamRef | undefined;
  /** Requests to which the binding limits the policy; undefined if the binding applies to all requests that the policy matches. */
  readonly matchResources: MatchResources | undefined;
  /** Actions for a failed validation: `Deny`, `Warn` and `Audit`. */
  readonly validationActions: readonly string[];
}

/** Reference of a binding to parameter objects, either by name or by labels. */
export interface ParamRef {
  readonly name: string;
  readonly namespace: string;
  readonly selector: LabelSelector | undefined;
  readonly parameterNotFoundAction: string | undefined;
}

/** Reads a policy binding (of a validating or mutating policy) of any API version. Throws `Unreadable` if a field has a wrong type. */
export function readBinding(document: JsonObject): PolicyBinding {
  const fields = new Fields(document, '');
  const spec = fields.object('spec');
  const matchResources = spec.optionalObject('matchResources');
  const paramRef = spec.optionalObject('paramRef');
  return {
    name: fields.object('metadata').text('name'),
    policyName: spec.text('policyName'),
    paramRef: paramRef && readParamRef(paramRef, fields.text('apiVersion')),
    matchResources: matchResources && readMatchResources(matchResources, 'resourceRules'),
    validationActions: spec.texts('validationActions'),
  };
}

/** Reads a parameter reference. Only v1alpha1 has a default for `parameterNotFoundAction` (`Deny`); later versions require the field. */
function readParamRef(fields: Fields, apiVersion: string): ParamRef {
  const selector = fields.optionalObject('selector');
  return {
    name: fields.text('name'),
    namespace: fields.text('namespace'),
    selector: selector && readLabelSelector(selector),
    parameterNotFoundAction: fields.optionalText('parameterNotFoundAction') ?? (apiVersion.endsWith('/v1alpha1') ? 'Deny' : undefined),
  };
}
