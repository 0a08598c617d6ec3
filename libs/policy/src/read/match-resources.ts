import { readLabelSelector } from './label-selector.ts';
import { Fields } from './fields.ts';
import type { JsonValue } from '#go';
import type { LabelSelector } from './label-selector.ts';

/**
 * Criteria that decide to which requests a policy or a binding applies. Source: k8s.io/api/admissionregistration/v1/types.go
 * `MatchResources` (1.37).
 */
export interface MatchResources {
  readonly namespaceSelector: LabelSelector;
  readonly objectSelector: LabelSelector;
  readonly resourceRules: readonly ResourceRule[];
  readonly excludeResourceRules: readonly ResourceRule[];
  /**
   * Match policy. `Equivalent`: rules also match requests for other versions of the same resource. `Exact`: rules match only the versions
   * that they list.
   */
  readonly matchPolicy: string;
}

/** A rule that matches operations on resources. */
export interface ResourceRule {
  readonly operations: readonly string[];
  readonly apiGroups: readonly string[];
  readonly apiVersions: readonly string[];
  readonly resources: readonly string[];
  /** Scope of the resources that the rule matches: `Cluster`, `Namespaced` or `*`. */
  readonly scope: string;
  /** Names of the objects that the rule matches; empty if all names match. It is always empty for webhooks. */
  readonly resourceNames: readonly string[];
}

/**
 * Reads the match criteria of a policy, binding or webhook, with the defaults that a server sets. `rules` is the name of the field that
 * contains the rules.
 */
export function readMatchResources(fields: Fields, rules: string): MatchResources {
  return {
    namespaceSelector: readLabelSelector(fields.object('namespaceSelector')),
    objectSelector: readLabelSelector(fields.object('objectSelector')),
    resourceRules: fields.list(rules, readRule),
    excludeResourceRules: fields.list('excludeResourceRules', readRule),
    matchPolicy: fields.optionalText('matchPolicy') ?? 'Equivalent',
  };
}

function readRule(value: JsonValue, path: string): ResourceRule {
  const fields = new Fields(value, path);
  return {
    operations: fields.texts('operations'),
    apiGroups: fields.texts('apiGroups'),
    apiVersions: fields.texts('apiVersions'),
    resources: fields.texts('resources'),
    scope: fields.optionalText('scope') ?? '*',
    resourceNames: fields.texts('resourceNames'),
  };
}
