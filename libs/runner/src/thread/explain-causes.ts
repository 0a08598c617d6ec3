import { verdictCauses } from '#crd';
import type { DefinitionText, ConcernedRule as FoldedRule, VerdictCauses } from '#evaluation';
import { EXPRESSION_COST_LIMIT, SCHEMA_COST_LIMIT } from '#kube';
import type { Minor } from '#kube';
import type { DefinitionCache } from './definition-cache.ts';

/** Maximum number of rules in the causes of one definition. A hostile definition could have many more. */
const RULES = 1_000;

type FoundRule = ReturnType<typeof verdictCauses>['rules'][number];

/** Explains why a server of the minor version `from` and the server of a definition's text have different verdicts on the definition. */
export function explainCauses(text: DefinitionText, from: Minor, cache: DefinitionCache): VerdictCauses {
  const { causes, hasSeveral, rules, sums } = verdictCauses(text.slice.bytes, from, text, { recent: cache.recent });
  return {
    from,
    to: text.minor,
    causes: causes.map(({ name, sentence, upstream }) => ({ name, sentence, ...(upstream !== undefined && { upstream }) })),
    hasSeveral,
    rules: folded(rules.slice(0, RULES)),
    sums: [...sums].map(([version, costs]) => ({ version, share: shares(costs, SCHEMA_COST_LIMIT) })),
  };
}

/** Combines rules that have the same text and the same costs. */
function folded(rules: readonly FoundRule[]): FoldedRule[] {
  const same = Map.groupBy(rules, ({ text, isMessage, costs }) => `${isMessage} ${costs?.from ?? ''} ${costs?.to ?? ''} ${text}`);
  return [...same.values()].map(([first, ...rest]) => {
    const { text, isMessage, costs } = first as FoundRule;
    return {
      rule: text,
      isMessage,
      places: [first as FoundRule, ...rest].map(({ version, path }) => ({ version, path })),
      ...(costs && { cost: { from: String(costs.from), to: String(costs.to) }, share: shares(costs, EXPRESSION_COST_LIMIT) }),
    };
  });
}

function shares({ from, to }: Readonly<Record<'from' | 'to', bigint>>, limit: bigint): { readonly from: number; readonly to: number } {
  return { from: Number(from) / Number(limit), to: Number(to) / Number(limit) };
}
