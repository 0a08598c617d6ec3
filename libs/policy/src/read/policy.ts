import { Fields } from './fields.ts';
import { readMatchResources } from './match-resources.ts';
import type { JsonObject, JsonValue } from '#go';
import type { MatchResources } from './match-resources.ts';

/** An expression with a name: a variable or a match condition. */
export interface NamedExpression {
  readonly name: string;
  readonly expression: string;
}

/** The fields that both kinds of policies have, with defaults. */
export interface PolicyHead {
  readonly name: string;
  /** What errors mean: `Fail` or `Ignore`. */
  readonly failurePolicy: string;
  readonly paramKind: ParamKind | undefined;
  /** Requests to which the policy applies. If absent, the policy is invalid and fails for every request. */
  readonly matchConstraints: MatchResources | undefined;
  readonly variables: readonly NamedExpression[];
  readonly matchConditions: readonly NamedExpression[];
}

/** The kind of a policy's parameters. */
export interface ParamKind {
  readonly apiVersion: string;
  readonly kind: string;
}

/** A ValidatingAdmissionPolicy. Source: k8s.io/api/admissionregistration/v1/types.go (1.37). */
export interface ValidatingPolicy extends PolicyHead {
  readonly validations: readonly Validation[];
  readonly auditAnnotations: readonly AuditAnnotation[];
}

/** One validation rule of a policy. */
export interface Validation {
  readonly expression: string;
  readonly message: string;
  /** Expression that returns the message of a denial; empty if the policy has none. */
  readonly messageExpression: string;
  /** The reason of a denial; absent: Invalid. */
  readonly reason: string | undefined;
}

/** One annotation that a policy adds to the audit event. */
export interface AuditAnnotation {
  readonly key: string;
  readonly valueExpression: string;
}

/** Reads a ValidatingAdmissionPolicy of any API version. All versions have the same fields. Throws `Unreadable`. */
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

/** Reads what policies of both kinds have. Throws `Unreadable`. */
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

/** Reads a variable or a match condition. */
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
