import { isSameResource } from '../request/group-version.ts';
import type { AdmissionRequest } from '../request/admission-request.ts';
import type { GroupVersionResource } from '../request/group-version.ts';
import type { Kinds } from '../request/kinds.ts';
import type { MatchResources, ResourceRule } from '../read/match-resources.ts';
import type { MatchedAs } from '../expressions/request-value.ts';

/** Result of matching a request with the resource rules of a policy: the resource and kind under which it matches, `no`, or an error. */
export type RuleMatch = MatchedAs | 'no' | { readonly error: string };

/**
 * Finds a rule that matches a request, and returns the resource and kind that it matches. Returns `no` if no rule matches, or an error if
 * the kind of an equivalent resource is unknown. If `matchPolicy` is `Equivalent`, a rule for another version of the requested resource
 * also matches. Source: k8s.io/apiserver/pkg/admission/plugin/policy/matching/matching.go `matchesResourceRules` (1.37).
 */
export function matchRules(
  rules: readonly ResourceRule[],
  matchPolicy: MatchResources['matchPolicy'],
  request: AdmissionRequest,
  kinds: Kinds,
): RuleMatch {
  if (rules.length === 0) return 'no';
  const { resource, kind, subresource } = request;
  if (rules.some((rule) => ruleMatches(rule, request, resource) && nameMatches(rule, request))) return { resource, kind };
  if (matchPolicy !== 'Equivalent') return 'no';
  const others = kinds.equivalentsOf(resource, subresource).filter((other) => !isSameResource(other, resource));
  for (const rule of rules) {
    for (const other of others) {
      if (!ruleMatches(rule, request, other)) continue;
      const otherKind = kinds.servedKind(other, subresource);
      if (otherKind === undefined) return { error: `unable to convert to ${resourceText(other)}: unknown kind` };
      if (nameMatches(rule, request)) return { resource: other, kind: otherKind };
    }
  }
  return 'no';
}

const resourceText = ({ group, version, resource }: GroupVersionResource): string => `${group}/${version}, Resource=${resource}`;

/** Returns true if the rule lists the name of the object. A rule without names matches all names. */
function nameMatches({ resourceNames }: ResourceRule, { name }: AdmissionRequest): boolean {
  return resourceNames.length === 0 || resourceNames.includes(name);
}

/**
 * Returns true if a rule matches the scope, operation and resource of a request. The name of the object is not compared. Source:
 * k8s.io/apiserver/pkg/admission/plugin/webhook/predicates/rules/rules.go `Matches` (1.37).
 */
function ruleMatches(rule: ResourceRule, request: AdmissionRequest, resource: GroupVersionResource): boolean {
  return (
    scopeMatches(rule.scope, request.namespace, resource) &&
    names(rule.operations, request.operation) &&
    names(rule.apiGroups, resource.group) &&
    names(rule.apiVersions, resource.version) &&
    rule.resources.some((pattern) => patternMatches(pattern, resource.resource, request.subresource))
  );
}

const names = (items: readonly string[], requested: string): boolean => items.includes('*') || items.includes(requested);

/**
 * Returns true if the scope of a rule matches a request on a resource. A Namespace counts as cluster-scoped, although its request has the
 * namespace of the same name.
 */
function scopeMatches(scope: string, namespace: string, { group, version, resource }: GroupVersionResource): boolean {
  const isNamespace = group === '' && version === 'v1' && resource === 'namespaces';
  switch (scope) {
    case '*':
      return true;
    case 'Namespaced':
      return !isNamespace && namespace !== '';
    case 'Cluster':
      return isNamespace || namespace === '';
    default:
      return false;
  }
}

/**
 * Returns true if a pattern matches a resource or subresource. Patterns are, for example, `pods`, `pods/status`, `pods/*`, `*`, `*` +
 * `/scale`. A pattern without a slash matches only the resource itself, without subresources.
 */
function patternMatches(pattern: string, resource: string, subresource: string): boolean {
  const slash = pattern.indexOf('/');
  const wanted = slash < 0 ? pattern : pattern.slice(0, slash);
  const wantedSubresource = slash < 0 ? '' : pattern.slice(slash + 1);
  return (wanted === '*' || wanted === resource) && (wantedSubresource === '*' || wantedSubresource === subresource);
}
