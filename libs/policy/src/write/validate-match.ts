import { goQuote } from '#go';
import {
  checkLabelValue,
  checkPathSegmentName,
  checkQualifiedName,
  childPath,
  duplicate,
  forbidden,
  goBadValue,
  indexPath,
  invalid,
  notSupported,
  required,
  structValue,
} from '#kube';
import type { BadValueBox, FieldError, FieldPath, Minor } from '#kube';
import { policyHas } from '../minors.ts';
import type { LabelSelector } from '../read/label-selector.ts';
import type { MatchResources, ResourceRule } from '../read/match-resources.ts';

const MATCH_POLICIES = ['Equivalent', 'Exact'];
const OPERATIONS = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];
/** Operations that rules of a mutating policy may name. DELETE is missing because mutating policies do not apply to deletions. */
const MUTATING_OPERATIONS = ['*', 'CONNECT', 'CREATE', 'UPDATE'];
const SCOPES = ['*', 'Cluster', 'Namespaced'];

/**
 * Validates the match criteria of a policy or binding, and returns the errors. `path` is the field path of the criteria. Source: kubernetes
 * pkg/apis/admissionregistration/validation/validation.go `validateMatchResources` (1.37).
 */
export function validateMatch(match: MatchResources, path: FieldPath, minor: Minor): FieldError[] {
  const errors: FieldError[] = [];
  if (!MATCH_POLICIES.includes(match.matchPolicy))
    errors.push(notSupported(childPath(path, 'matchPolicy'), wordValue(match.matchPolicy, minor), MATCH_POLICIES));
  errors.push(...validateSelector(match.namespaceSelector, childPath(path, 'namespaceSelector'), minor));
  errors.push(...validateSelector(match.objectSelector, childPath(path, 'objectSelector'), minor));
  for (const field of ['resourceRules', 'excludeResourceRules'] as const)
    for (const [i, rule] of match[field].entries()) errors.push(...validateRule(rule, indexPath(childPath(path, field), i), minor));
  return errors;
}

/**
 * Checks that the rules of a mutating policy or its binding name only operations to which mutating policies apply. `rulesPath` is the field
 * path of the rules.
 */
export function validateMutatingOperations(rules: readonly ResourceRule[], rulesPath: FieldPath, minor: Minor): FieldError[] {
  const path = childPath(rulesPath, 'operations');
  return rules.flatMap(({ operations }) =>
    operations
      .filter((operation) => !MUTATING_OPERATIONS.includes(operation))
      .map((operation) => notSupported(path, wordValue(operation, minor), MUTATING_OPERATIONS)),
  );
}

function validateRule(rule: ResourceRule, path: FieldPath, minor: Minor): FieldError[] {
  const shown = (texts: readonly string[]): BadValueBox => listValue(texts, 'string', minor);
  return [
    ...validateNames(rule.resourceNames, childPath(path, 'resourceNames')),
    ...validateChoices(rule.operations, childPath(path, 'operations'), 'operations', (texts) =>
      listValue(texts, 'admissionregistration.OperationType', minor),
    ),
    ...rule.operations.flatMap((operation, i) =>
      OPERATIONS.includes(operation)
        ? []
        : [notSupported(indexPath(childPath(path, 'operations'), i), wordValue(operation, minor), OPERATIONS)],
    ),
    ...validateChoices(rule.apiGroups, childPath(path, 'apiGroups'), 'API groups', shown),
    ...validateChoices(rule.apiVersions, childPath(path, 'apiVersions'), 'API versions', shown),
    ...rule.apiVersions.flatMap((version, i) => (version === '' ? [required(indexPath(childPath(path, 'apiVersions'), i), '')] : [])),
    ...validateResources(rule.resources, childPath(path, 'resources'), shown),
    ...(SCOPES.includes(rule.scope) ? [] : [notSupported(childPath(path, 'scope'), wordValue(rule.scope, minor), SCOPES)]),
  ];
}

function validateNames(names: readonly string[], path: FieldPath): FieldError[] {
  return names.flatMap((name, i) => [
    ...checkPathSegmentName(name).map((problem) => invalid(indexPath(path, i), name, problem)),
    ...(names.indexOf(name) < i ? [duplicate(indexPath(path, i), name)] : []),
  ]);
}

/** Function that returns the form in which a field error shows a list of strings. */
type ShowList = (texts: readonly string[]) => BadValueBox;

/** Checks that a list is not empty and that `*` is not combined with other items. */
function validateChoices(items: readonly string[], path: FieldPath, what: string, shown: ShowList): FieldError[] {
  if (items.length === 0) return [required(path, '')];
  return items.length > 1 && items.includes('*') ? [invalid(path, shown(items), `if '*' is present, must not specify other ${what}`)] : [];
}

function validateResources(resources: readonly string[], path: FieldPath, shown: ShowList): FieldError[] {
  if (resources.length === 0) return [required(path, '')];
  const errors: FieldError[] = [];
  const allSubresources = new Set<string>();
  const allResources = new Set<string>();
  let lastPlain = false;
  for (const [i, pattern] of resources.entries()) {
    const slash = pattern.indexOf('/');
    if (pattern === '') errors.push(required(indexPath(path, i), ''));
    // Kubernetes tests only whether the last resource without a subresource is `*`.
    else if (slash < 0) lastPlain = pattern !== '*';
    if (slash < 0) continue;
    const [resource, subresource] = [pattern.slice(0, slash), pattern.slice(slash + 1)];
    const refuse = (present: string): void =>
      void errors.push(invalid(indexPath(path, i), pattern, `if '${present}' is present, must not specify ${pattern}`));
    if (allSubresources.has(resource)) refuse(`${resource}/*`);
    if (allResources.has(subresource)) refuse(`*/${subresource}`);
    if (subresource === '*') allSubresources.add(resource);
    if (resource === '*') allResources.add(subresource);
  }
  const all = shown(resources);
  if (resources.length > 1 && resources.includes('*/*'))
    errors.push(invalid(path, all, "if '*/*' is present, must not specify other resources"));
  if (resources.includes('*') && lastPlain)
    errors.push(invalid(path, all, "if '*' is present, must not specify other resources without subresources"));
  return errors;
}

/**
 * Validates a label selector in a policy or binding that a client creates or updates. Source:
 * k8s.io/apimachinery/pkg/apis/meta/v1/validation/validation.go `ValidateLabelSelector` (1.37).
 */
export function validateSelector({ matchLabels, matchExpressions }: LabelSelector, path: FieldPath, minor: Minor): FieldError[] {
  const errors: FieldError[] = [];
  const labels = childPath(path, 'matchLabels');
  for (const [key, value] of matchLabels) {
    errors.push(...checkQualifiedName(key).map((problem) => invalid(labels, key, problem)));
    errors.push(...checkLabelValue(value).map((problem) => invalid(labels, value, problem)));
  }
  for (const [i, { key, operator, values }] of matchExpressions.entries()) {
    const at = indexPath(childPath(path, 'matchExpressions'), i);
    const listed = childPath(at, 'values');
    if (operator === 'In' || operator === 'NotIn') {
      if (values.length === 0) errors.push(required(listed, "must be specified when `operator` is 'In' or 'NotIn'"));
    } else if (operator === 'Exists' || operator === 'DoesNotExist') {
      if (values.length > 0) errors.push(forbidden(listed, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"));
    } else errors.push(invalid(childPath(at, 'operator'), wordValue(operator, minor), 'not a valid selector operator'));
    errors.push(...checkQualifiedName(key).map((problem) => invalid(childPath(at, 'key'), key, problem)));
    for (const [j, value] of values.entries())
      errors.push(...checkLabelValue(value).map((problem) => invalid(indexPath(listed, j), value, problem)));
  }
  return errors;
}

/**
 * Wraps a string of a named Go string type, such as an operation, as the bad value of a field error. The error message then prints the
 * string as the server does, which depends on the Kubernetes minor version.
 */
export function wordValue(word: string, minor: Minor): BadValueBox {
  return policyHas(minor, 'badValuesAreJson') ? structValue(word) : goBadValue(word, goQuote(word));
}

/**
 * Wraps a list of strings as the bad value of a field error, so that the error message prints it as the server does. `goType` is the Go
 * type of the elements.
 */
export function listValue(texts: readonly string[], goType: string, minor: Minor): BadValueBox {
  if (policyHas(minor, 'badValuesAreJson')) return structValue([...texts]);
  return goBadValue([...texts], `[]${goType}{${texts.map(goQuote).join(', ')}}`);
}
