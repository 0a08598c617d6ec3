import { compileSelector } from '../read/label-selector.ts';
import { labelsOf, objectMetaOf } from '../request/object-meta.ts';
import { matchRules } from './resource-rules.ts';
import type { JsonObject } from '#go';
import type { AdmissionRequest } from '../request/admission-request.ts';
import type { CompiledSelector, Labels } from '../read/label-selector.ts';
import type { Kinds } from '../request/kinds.ts';
import type { MatchResources } from '../read/match-resources.ts';
import type { Namespaces } from '../request/namespaces.ts';
import type { RuleMatch } from './resource-rules.ts';

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
  const excluded = matchRules(match.excludeResourceRules, match.matchPolicy, request, kinds);
  if (excluded !== 'no') return 'error' in excluded ? excluded : 'no';
  const { kind, resource } = request;
  const matched =
    match.resourceRules.length === 0 ? { kind, resource } : matchRules(match.resourceRules, match.matchPolicy, request, kinds);
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

/** Returns the labels of the Namespace of a request. If the request writes this Namespace, the new labels are returned. */
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
