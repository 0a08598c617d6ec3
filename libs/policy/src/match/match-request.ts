import type { JsonObject } from '#go';
import type { MatchedAs } from '../expressions/request-values.ts';
import { compileSelector } from '../read/label-selector.ts';
import type { CompiledSelector, Labels } from '../read/label-selector.ts';
import type { MatchResources, ResourceRule } from '../read/match-resources.ts';
import type { AdmissionRequest } from '../request/admission-request.ts';
import { labelsOf, objectMetaOf } from '../request/held-object.ts';
import { isSameResource } from '../request/kinds.ts';
import type { GroupVersionResource, Kinds } from '../request/kinds.ts';
import type { Namespaces } from '../request/namespaces.ts';

/** Match criteria of a policy or binding, with compiled selectors. */
export interface CompiledMatch extends Pick<MatchResources, 'resourceRules' | 'excludeResourceRules' | 'matchPolicy'> {
  readonly namespaceSelector: CompiledSelector;
  readonly objectSelector: CompiledSelector;
}

/** Cluster state that is needed to decide if a policy or binding matches a request: the known kinds and the namespaces. */
export interface MatchWorld {
  readonly kinds: Kinds;
  readonly namespaces: Namespaces;
}

/** Compiles the selectors in the match criteria of a policy or binding. */
export function compileMatch(match: MatchResources): CompiledMatch {
  const { resourceRules, excludeResourceRules, matchPolicy } = match;
  return {
    resourceRules,
    excludeResourceRules,
    matchPolicy,
    namespaceSelector: compileSelector(match.namespaceSelector),
    objectSelector: compileSelector(match.objectSelector),
  };
}

/**
 * Decides if a request matches the match criteria `match` of a policy or binding. Returns the resource and kind under which it matches,
 * `no`, or an error. Selectors, exclusions and rules are tested in the order of the server. An error in a selector has an effect only if
 * all other criteria match. Source: k8s.io/apiserver/pkg/admission/plugin/policy/matching/matching.go `Matches` (1.37).
 */
export function matchRequest(match: CompiledMatch, request: AdmissionRequest, world: MatchWorld): RuleMatch {
  const inNamespace = matchNamespace(match.namespaceSelector, request, world.namespaces);
  if (inNamespace === false) return 'no';
  const asObject = matchObject(match.objectSelector, request);
  if (asObject === false) return 'no';
  const { kinds } = world;
  const excluded = matchResourceRules(match.excludeResourceRules, match.matchPolicy, request, kinds);
  if (excluded !== 'no') return 'error' in excluded ? excluded : 'no';
  const { kind, resource } = request;
  const matched =
    match.resourceRules.length === 0 ? { kind, resource } : matchResourceRules(match.resourceRules, match.matchPolicy, request, kinds);
  if (matched === 'no' || 'error' in matched) return matched;
  if (inNamespace !== true) return inNamespace;
  return asObject === true ? matched : asObject;
}

type SelectorMatch = boolean | { readonly error: string };

const internal = (error: string): SelectorMatch => ({ error: `Internal error occurred: ${error}` });

/**
 * Tests if the namespace of a request matches a selector. Returns true, false or an error. Cluster-scoped objects other than Namespaces
 * have no namespace and always match. Source: webhook/predicates/namespace/matcher.go (1.37).
 */
export function matchNamespace(selector: CompiledSelector, request: AdmissionRequest, namespaces: Namespaces): SelectorMatch {
  if (request.namespace === '' && request.resource.resource !== 'namespaces') return true;
  if (!selector.ok) return internal(selector.error);
  if (selector.selectsAll) return true;
  const labels = namespaceLabels(request, namespaces);
  return labels === undefined ? { error: namespaces.notFound(request.namespace, 'twice') } : selector.matches(labels);
}

/**
 * Returns the labels of the Namespace of a request; undefined if the Namespace is unknown. If the request writes this Namespace, the new
 * labels are returned.
 */
function namespaceLabels(
  { resource, subresource, operation, namespace, object }: AdmissionRequest,
  namespaces: Namespaces,
): Labels | undefined {
  const isWritten = operation === 'CREATE' || operation === 'UPDATE';
  if (resource.resource === 'namespaces' && subresource === '' && isWritten && object !== undefined) return labelsOf(object);
  const stored = namespaces.get(namespace);
  return stored && labelsOf(stored.object);
}

/**
 * Tests if the new or the old object matches a selector. One matching object is sufficient. Returns true, false or an error. Source:
 * webhook/predicates/object/matcher.go (1.37).
 */
export function matchObject(selector: CompiledSelector, { object, oldObject }: AdmissionRequest): SelectorMatch {
  if (!selector.ok) return internal(selector.error);
  if (selector.selectsAll) return true;
  const matches = (candidate: JsonObject | undefined): boolean =>
    candidate !== undefined && objectMetaOf(candidate) !== undefined && selector.matches(labelsOf(candidate));
  return matches(object) || matches(oldObject);
}

/** Result of matching a request with the resource rules of a policy: the resource and kind under which it matches, `no`, or an error. */
type RuleMatch = MatchedAs | 'no' | { readonly error: string };

/**
 * Finds a rule that matches a request, and returns the resource and kind that it matches. Returns `no` if no rule matches, or an error if
 * the kind of an equivalent resource is unknown. If `matchPolicy` is `Equivalent`, a rule for another version of the requested resource
 * also matches. Source: k8s.io/apiserver/pkg/admission/plugin/policy/matching/matching.go `matchesResourceRules` (1.37).
 */
export function matchResourceRules(
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

/**
 * Resources to which no admission policy applies. They are the policies and bindings themselves, and the review resources that
 * authentication and authorization depend on. Source: k8s.io/apiserver/pkg/admission/plugin/policy/generic/plugin.go; kubernetes
 * pkg/kubeapiserver/admission/exclusion/resources.go (1.37).
 */
const EXCLUDED: ReadonlySet<string> = new Set([
  'admissionregistration.k8s.io/validatingadmissionpolicies',
  'admissionregistration.k8s.io/validatingadmissionpolicybindings',
  'admissionregistration.k8s.io/mutatingadmissionpolicies',
  'admissionregistration.k8s.io/mutatingadmissionpolicybindings',
  'authentication.k8s.io/selfsubjectreviews',
  'authentication.k8s.io/tokenreviews',
  'authorization.k8s.io/localsubjectaccessreviews',
  'authorization.k8s.io/selfsubjectaccessreviews',
  'authorization.k8s.io/selfsubjectrulesreviews',
  'authorization.k8s.io/subjectaccessreviews',
]);

/** Returns true if admission policies do not apply to a resource. */
export function isExcluded({ group, resource }: GroupVersionResource): boolean {
  return group !== '' && EXCLUDED.has(`${group}/${resource}`);
}
