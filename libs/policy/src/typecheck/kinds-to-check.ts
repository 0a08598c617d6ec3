import { compareBytes } from '#go';
import { kindText } from '../request/group-version.ts';
import type { GroupVersionKind } from '../request/group-version.ts';
import type { Kinds } from '../request/kinds.ts';
import type { ResourceRule } from '../read/match-resources.ts';

/** Maximum number of kinds of one rule that are checked. If a rule reaches this number, the rules after it are skipped. */
const MAX_KINDS = 10;

const withoutWildcards = (names: readonly string[]): readonly string[] =>
  names.some((name) => name.includes('*')) ? [] : [...names].sort(compareBytes);

/**
 * Returns the kinds that a policy's rules name, sorted by group, version and kind. Names with wildcards and subresources are ignored.
 * Source: k8s.io/apiserver/pkg/admission/plugin/policy/validating/typechecking.go `typesToCheck` (1.37).
 */
export function kindsToCheck(rules: readonly ResourceRule[], kinds: Kinds): readonly GroupVersionKind[] {
  const found = new Map<string, GroupVersionKind>();
  for (const rule of rules) {
    const named = kindsOfRule(rule, kinds).slice(0, MAX_KINDS);
    for (const kind of named) found.set(kindText(kind), kind);
    if (named.length === MAX_KINDS) break;
  }
  return [...found.values()].sort(
    (a, b) => compareBytes(a.group, b.group) || compareBytes(a.version, b.version) || compareBytes(a.kind, b.kind),
  );
}

function kindsOfRule({ apiGroups, apiVersions, resources }: ResourceRule, kinds: Kinds): GroupVersionKind[] {
  const names = resources.filter((resource) => !/[*/]/.test(resource)).sort(compareBytes);
  return withoutWildcards(apiGroups).flatMap((group) =>
    withoutWildcards(apiVersions).flatMap((version) => names.flatMap((resource) => kinds.named(group, version, resource))),
  );
}
