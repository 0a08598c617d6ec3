import { isJsonObject } from '#go';
import {
  checkDns1123Subdomain,
  checkPathSegmentName,
  childPath,
  duplicate,
  forbidden,
  indexPath,
  invalid,
  notSupported,
  readObjectMeta,
  required,
  validateObjectMeta,
} from '#kube';
import { readBinding } from '../read/binding.ts';
import { validateMatch } from './validate-match.ts';
import { validateSelector } from './validate-selector.ts';
import type { JsonObject } from '#go';
import type { FieldError, FieldPath } from '#kube';
import type { ParamRef } from '../read/binding.ts';

const ACTIONS = ['Audit', 'Deny', 'Warn'];
const NOT_FOUND_ACTIONS = ['Deny', 'Allow'];
const EXCLUSIVE = 'name and selector are mutually exclusive';

/**
 * What a server has against a ValidatingAdmissionPolicyBinding that is written. There is no oracle for this. Throws `Unreadable`.
 * Source: kubernetes pkg/apis/admissionregistration/validation/validation.go `ValidateValidatingAdmissionPolicyBinding` (1.37).
 */
export function validateBinding(document: JsonObject): FieldError[] {
  const { policyName, paramRef, matchResources, validationActions } = readBinding(document);
  const path = childPath(undefined, 'spec');
  return [
    ...validateMetadata(document),
    ...(policyName === ''
      ? [required(childPath(path, 'policyName'), '')]
      : checkDns1123Subdomain(policyName).map((problem) => invalid(childPath(path, 'policyName'), policyName, problem))),
    ...(paramRef === undefined ? [] : validateParamRef(paramRef, childPath(path, 'paramRef'))),
    // Upstream misspells the field.
    ...(matchResources === undefined ? [] : validateMatch(matchResources, childPath(path, 'matchResouces'))),
    ...validateActions(validationActions, childPath(path, 'validationActions')),
  ];
}

/** Checks the metadata of a policy or binding. */
export function validateMetadata({ metadata }: JsonObject): FieldError[] {
  const meta = readObjectMeta(isJsonObject(metadata) ? metadata : {});
  return validateObjectMeta(meta, { namespaced: false, checkName: checkDns1123Subdomain }, childPath(undefined, 'metadata'));
}

function validateParamRef({ name, selector, parameterNotFoundAction: action = '' }: ParamRef, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (name !== '') {
    errors.push(...checkPathSegmentName(name).map((problem) => invalid(childPath(path, 'name'), name, problem)));
    if (selector !== undefined) errors.push(forbidden(childPath(path, 'name'), EXCLUSIVE));
  }
  if (selector !== undefined) {
    errors.push(...validateSelector(selector, childPath(path, 'selector')));
    if (name !== '') errors.push(forbidden(childPath(path, 'selector'), EXCLUSIVE));
  }
  if (name === '' && selector === undefined) errors.push(required(path, 'one of name or selector must be specified'));
  const at = childPath(path, 'parameterNotFoundAction');
  if (action === '') errors.push(required(at, ''));
  else if (!NOT_FOUND_ACTIONS.includes(action)) errors.push(notSupported(at, action, NOT_FOUND_ACTIONS));
  return errors;
}

function validateActions(actions: readonly string[], path: FieldPath): FieldError[] {
  const errors = actions.flatMap((action, i) => [
    ...(ACTIONS.includes(action) ? [] : [notSupported(indexPath(path, i), action, ACTIONS)]),
    ...(actions.indexOf(action) < i ? [duplicate(indexPath(path, i), action)] : []),
  ]);
  if (actions.includes('Deny') && actions.includes('Warn')) {
    const why = 'repeating the same validation failure information in the API response and headers serves no purpose';
    errors.push(invalid(path, [...actions], `must not contain both Deny and Warn (${why})`));
  }
  if (actions.length === 0) errors.push(required(path, 'at least one validation action is required'));
  return errors;
}
