import { verdictCauses } from '#crd';
import type { JudgingServer } from '#crd';
import type { ConcernedRule as FoldedRule, DefinitionText, VerdictCauses } from '#documents';
import type { JsonValue } from '#go';
import { EXPRESSION_COST_LIMIT, SCHEMA_COST_LIMIT } from '#kube';
import type { Work } from '../protocol.ts';
import type { DefinitionCache } from './definition-cache.ts';
import { judgeBeside, judgingOptions } from './judge-definition.ts';

/** Maximum number of rules in the causes of one definition. A hostile definition could have many more. */
const RULES = 1_000;

type FoundRule = ReturnType<typeof verdictCauses>['rules'][number];

type CausesWork = Extract<Work, { readonly kind: 'causes' }>;

/** Explains why two servers have different verdicts on a definition, or report different texts about it. */
export function explainCauses(work: CausesWork, cache: DefinitionCache): VerdictCauses {
  const { definition: text, from, stored } = work;
  const servers: readonly [JudgingServer, JudgingServer] = [
    { minor: from.minor, gates: from.gates, stored: storedValue(stored?.from, work, cache) },
    { minor: text.minor, gates: text.gates, stored: storedValue(stored?.to, work, cache) },
  ];
  const { about, causes, hasSeveral, rules, sums } = verdictCauses(text.slice.bytes, servers, judgingOptions(text, work, cache));
  return {
    from: from.minor,
    to: text.minor,
    about,
    causes: causes.map(({ name, sentence, upstream }) => ({ name, sentence, ...(upstream !== undefined && { upstream }) })),
    hasSeveral,
    rules: folded(rules.slice(0, RULES)),
    sums: [...sums].map(([version, costs]) => ({ version, share: shares(costs, SCHEMA_COST_LIMIT) })),
  };
}

/** Returns the form in which a server stores a definition; undefined if there is none. */
const storedValue = (text: DefinitionText | undefined, how: CausesWork, cache: DefinitionCache): JsonValue | undefined =>
  text && judgeBeside(text, { ...how, rules: false }, cache, undefined).verdict.stored;

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
