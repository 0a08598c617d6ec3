import type { ExplainedRule } from '#documents';

/**
 * Returns, for each new rule, the rule of the older revision that it replaces. Prefers a rule with the same text at the same schema node,
 * whatever its index. Otherwise takes the rule at the same path, even if its text differs.
 */
export function matchStudiedRules(
  head: readonly ExplainedRule[],
  base: readonly ExplainedRule[],
): ReadonlyMap<ExplainedRule, ExplainedRule> {
  const matches = new Map<ExplainedRule, ExplainedRule>();
  const taken = new Set<ExplainedRule>();
  for (const keyOf of [sameRule, sameText, samePlace]) {
    const byKey = Map.groupBy(
      base.filter((rule) => !taken.has(rule)),
      keyOf,
    );
    for (const rule of head) {
      const found = matches.has(rule) ? undefined : byKey.get(keyOf(rule))?.shift();
      if (found === undefined) continue;
      matches.set(rule, found);
      taken.add(found);
    }
  }
  return matches;
}

const samePlace = ({ version, path }: ExplainedRule): string => JSON.stringify([version, path]);
const sameRule = ({ version, path, rule }: ExplainedRule): string => JSON.stringify([version, path, rule]);
const sameText = ({ version, path, rule }: ExplainedRule): string => JSON.stringify([version, path.replace(/\[\d+\]$/, ''), rule]);
