import { fieldSelectorText, labelSelectorText } from './selector-text.ts';
import type { AuthorizationCheck, AuthorizationDecision, Authorize } from '#cel';

/** Row of a table that replaces the cluster's authorizer. An absent field matches any value. */
export interface AuthorizationRule {
  readonly user?: string | undefined;
  /** Group that the user must belong to. */
  readonly group?: string | undefined;
  readonly verb?: string | undefined;
  readonly apiGroup?: string | undefined;
  readonly resource?: string | undefined;
  readonly subresource?: string | undefined;
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  /** URL path. A rule with this field matches only checks of paths. */
  readonly path?: string | undefined;
  readonly fieldSelector?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly decision: 'allow' | 'deny' | 'noOpinion';
  readonly reason?: string | undefined;
  readonly error?: string | undefined;
}

const NO_OPINION: AuthorizationDecision = { allowed: false, reason: '', error: undefined };

/** Returns an authorizer that decides by the first matching rule. If no rule matches, the authorizer has no opinion. */
export function tableAuthorizer(rules: readonly AuthorizationRule[]): Authorize {
  return (check) => {
    const rule = rules.find((candidate) => fits(candidate, check));
    if (rule === undefined) return NO_OPINION;
    return { allowed: rule.decision === 'allow', reason: rule.reason ?? '', error: rule.error === '' ? undefined : rule.error };
  };
}

function fits(rule: AuthorizationRule, check: AuthorizationCheck): boolean {
  const { user, verb } = check;
  if (rule.group !== undefined && !user.groups.includes(rule.group)) return false;
  return same(rule.user, user.username) && same(rule.verb, verb) && fitsTarget(rule, check);
}

/** Fields of an authorization rule that describe a resource. A rule with such a field matches only checks of resources. */
const RESOURCE_FIELDS = ['apiGroup', 'resource', 'subresource', 'namespace', 'name'] as const;

function fitsTarget(rule: AuthorizationRule, check: AuthorizationCheck): boolean {
  if (check.kind === 'path') {
    return same(rule.path, check.path) && RESOURCE_FIELDS.every((field) => rule[field] === undefined);
  }
  return (
    rule.path === undefined &&
    same(rule.apiGroup, check.group) &&
    same(rule.resource, check.resource) &&
    same(rule.subresource, check.subresource) &&
    same(rule.namespace, check.namespace) &&
    same(rule.name, check.name) &&
    (rule.fieldSelector === undefined || rule.fieldSelector === fieldSelectorText(check.fieldSelector)) &&
    (rule.labelSelector === undefined || rule.labelSelector === labelSelectorText(check.labelSelector))
  );
}

const same = (wanted: string | undefined, found: string): boolean => wanted === undefined || wanted === found;
