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

/**
 * Returns a field selector in the form in which an authorizer receives it: `a=b,c!=d`. If the selector is invalid, the result is empty,
 * which an authorizer treats like an absent selector. Source: k8s.io/apimachinery/pkg/fields/selector.go `ParseSelector` (1.37).
 */
export function fieldSelectorText(selector: string): string {
  const terms = selector.split(/(?<!\\),/).filter((term) => term !== '');
  const read = terms.map((term) => /^([^=!]*)(!=|==|=)((?:[^=,\\]|\\[=,\\])*)$/.exec(term));
  if (read.some((match) => match === null)) return '';
  return read.map((match) => `${match![1]}${match![2] === '!=' ? '!=' : '='}${match![3]!.replace(/\\([=,\\])/g, '$1')}`).join(',');
}

const TOKEN = /\s*(\(|\)|,|!=|==|=|!|>|<|[^\s(),!=<>]+)/y;

/**
 * Returns a label selector in the form in which an authorizer receives it, with requirements sorted by key: `a in (b,c),!d`. The result is
 * empty if the selector is invalid. Source: k8s.io/apimachinery/pkg/labels/selector.go `ParseToRequirements`, `Requirement.String` (1.37).
 */
export function labelSelectorText(selector: string): string {
  const tokens = tokensOf(selector.trim());
  if (tokens === undefined) return '';
  const requirements: (readonly [key: string, text: string])[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const requirement = readRequirement(tokens, at);
    if (requirement === undefined) return '';
    requirements.push([requirement.key, requirement.text]);
    at = requirement.next;
    if (at < tokens.length && (tokens[at] !== ',' || at === tokens.length - 1)) return '';
  }
  return requirements
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([, text]) => text)
    .join(',');
}

function tokensOf(text: string): readonly string[] | undefined {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const match = TOKEN.exec(text);
    if (match === null) return undefined;
    tokens.push(match[1] as string);
  }
  return tokens;
}

interface ReadRequirement {
  readonly key: string;
  readonly text: string;
  /** Index of the token after the requirement. */
  readonly next: number;
}

const WORD = /^[^(),!=<>]+$/;
const isWord = (token: string | undefined): token is string => token !== undefined && WORD.test(token);

function readRequirement(tokens: readonly string[], at: number): ReadRequirement | undefined {
  const first = tokens[at];
  if (first === '!') {
    const key = tokens[at + 1];
    return isWord(key) ? { key, text: `!${key}`, next: at + 2 } : undefined;
  }
  if (!isWord(first)) return undefined;
  const operator = tokens[at + 1];
  if (operator === undefined || operator === ',') return { key: first, text: first, next: at + 1 };
  if (operator === 'in' || operator === 'notin') return readSet(tokens, at, first, operator);
  const value = tokens[at + 2];
  if (!['=', '==', '!=', '>', '<'].includes(operator)) return undefined;
  const empty = value === undefined || value === ',';
  if (!empty && !isWord(value)) return undefined;
  return { key: first, text: `${first}${operator}${empty ? '' : value}`, next: at + (empty ? 2 : 3) };
}

function readSet(tokens: readonly string[], at: number, key: string, operator: string): ReadRequirement | undefined {
  const end = tokens.indexOf(')', at);
  if (tokens[at + 2] !== '(' || end < 0) return undefined;
  const values = tokens.slice(at + 3, end).filter((token) => token !== ',');
  if (!values.every(isWord)) return undefined;
  return { key, text: `${key} ${operator} (${[...new Set(values)].sort().join(',')})`, next: end + 1 };
}
