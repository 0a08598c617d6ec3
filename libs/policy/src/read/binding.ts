import { Fields } from './fields.ts';
import { readLabelSelector } from './label-selector.ts';
import { readMatchResources } from './match-resources.ts';
import type { JsonObject } from '#go';
import type { LabelSelector } from './label-selector.ts';
import type { MatchResources } from './match-resources.ts';

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
