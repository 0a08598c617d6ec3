import {
  checkDns1123Subdomain,
  checkPathSegmentName,
  childPath,
  duplicate,
  forbidden,
  indexPath,
  invalid,
  notSupported,
  required,
} from '#kube';
import { readBinding } from '../read/binding.ts';
import { policyHas } from '../minors.ts';
import { listValue, wordValue } from './shown-value.ts';
import { validateMatch, validateMutatingOperations } from './validate-match.ts';
import { validateMetadata } from './validate-metadata.ts';
import { validateSelector } from './validate-selector.ts';
import type { JsonObject } from '#go';
import type { FieldError, FieldPath, Minor } from '#kube';
import type { ParamRef, PolicyBinding } from '../read/binding.ts';

const ACTIONS = ['Audit', 'Deny', 'Warn'];
const NOT_FOUND_ACTIONS = ['Deny', 'Allow'];
const EXCLUSIVE = 'name and selector are mutually exclusive';

/**
 * Returns the errors that a server reports for a written ValidatingAdmissionPolicyBinding. Throws `Unreadable` if a field has a wrong type.
 * Source: kubernetes pkg/apis/admissionregistration/validation/validation.go `ValidateValidatingAdmissionPolicyBinding` (1.30 to 1.37).
 */
export function validateBinding(document: JsonObject, minor: Minor): FieldError[] {
  const binding = readBinding(document);
  const path = childPath(undefined, 'spec');
  return [
    ...validateMetadata(document),
    ...validateReferences(binding, minor, policyHas(minor, 'bindingsAreDeclarative')),
    ...validateActions(binding.validationActions, childPath(path, 'validationActions'), minor),
  ];
}

/**
 * Returns the errors that a server reports for a written MutatingAdmissionPolicyBinding. Throws `Unreadable` if a field has a wrong type.
 * Source: kubernetes pkg/apis/admissionregistration/validation/validation.go `ValidateMutatingAdmissionPolicyBinding` (1.32 to 1.37).
 */
export function validateMutatingBinding(document: JsonObject, minor: Minor): FieldError[] {
  const binding = readBinding(document);
  const rules = childPath(childPath(childPath(undefined, 'spec'), 'matchResources'), 'resourceRules');
  return [
    ...validateMetadata(document),
    ...validateReferences(binding, minor, false),
    ...validateMutatingOperations(binding.matchResources?.resourceRules ?? [], rules, minor),
  ];
}

/**
 * Returns the errors that declarative validation reports about missing fields of a ValidatingAdmissionPolicyBinding. The server lists these
 * errors after all others. Returns an empty list for Kubernetes minor versions without this declarative validation. Throws `Unreadable` if
 * a field has a wrong type.
 */
export function validateDeclared(document: JsonObject, minor: Minor): FieldError[] {
  if (!policyHas(minor, 'bindingsAreDeclarative')) return [];
  const { policyName, validationActions } = readBinding(document);
  const path = childPath(undefined, 'spec');
  return [
    ...(policyName === '' ? [required(childPath(path, 'policyName'), '')] : []),
    ...(validationActions.length === 0 ? [required(childPath(path, 'validationActions'), '')] : []),
  ];
}

/**
 * Checks the fields in which a validating or mutating binding refers to its policy, parameters and resources. If `isDeclared` is true, a
 * missing policy name is not reported here.
 */
function validateReferences({ policyName, paramRef, matchResources }: PolicyBinding, minor: Minor, isDeclared: boolean): FieldError[] {
  const path = childPath(undefined, 'spec');
  const field = policyHas(minor, 'bindingsAreSpelled') ? 'matchResources' : 'matchResouces';
  return [
    ...(policyName === ''
      ? isDeclared
        ? []
        : [required(childPath(path, 'policyName'), '')]
      : checkDns1123Subdomain(policyName).map((problem) => invalid(childPath(path, 'policyName'), policyName, problem))),
    ...(paramRef === undefined ? [] : validateParamRef(paramRef, childPath(path, 'paramRef'), minor)),
    ...(matchResources === undefined ? [] : validateMatch(matchResources, childPath(path, field), minor)),
  ];
}

function validateParamRef({ name, selector, parameterNotFoundAction: action = '' }: ParamRef, path: FieldPath, minor: Minor): FieldError[] {
  const errors: FieldError[] = [];
  if (name !== '') {
    errors.push(...checkPathSegmentName(name).map((problem) => invalid(childPath(path, 'name'), name, problem)));
    if (selector !== undefined) errors.push(forbidden(childPath(path, 'name'), EXCLUSIVE));
  }
  if (selector !== undefined) {
    errors.push(...validateSelector(selector, childPath(path, 'selector'), minor));
    if (name !== '') errors.push(forbidden(childPath(path, 'selector'), EXCLUSIVE));
  }
  if (name === '' && selector === undefined) errors.push(required(path, 'one of name or selector must be specified'));
  const at = childPath(path, 'parameterNotFoundAction');
  if (action === '') errors.push(required(at, ''));
  else if (!NOT_FOUND_ACTIONS.includes(action)) errors.push(notSupported(at, wordValue(action, minor), NOT_FOUND_ACTIONS));
  return errors;
}

function validateActions(actions: readonly string[], path: FieldPath, minor: Minor): FieldError[] {
  const errors = actions.flatMap((action, i) => [
    ...(ACTIONS.includes(action) ? [] : [notSupported(indexPath(path, i), wordValue(action, minor), ACTIONS)]),
    ...(actions.indexOf(action) < i ? [duplicate(indexPath(path, i), wordValue(action, minor))] : []),
  ]);
  if (actions.includes('Deny') && actions.includes('Warn')) {
    const why = 'repeating the same validation failure information in the API response and headers serves no purpose';
    const shown = listValue(actions, 'admissionregistration.ValidationAction', minor);
    errors.push(invalid(path, shown, `must not contain both Deny and Warn (${why})`));
  }
  if (actions.length === 0 && !policyHas(minor, 'bindingsAreDeclarative'))
    errors.push(required(path, 'at least one validation action is required'));
  return errors;
}
