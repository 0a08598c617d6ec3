import { explainDefinition, verdictCauses } from '#crd';
import type { JudgingServer, CostedPart, RuleExplanation, SchemaBound, Suggestion } from '#crd';
import { additionsOf } from '#documents';
import type {
  BoundSuggestion,
  ConcernedRule as FoldedRule,
  CostBound,
  DefinitionText,
  DefinitionWrite,
  ExplainedRule,
  PricedPart,
  VerdictCauses,
} from '#documents';
import type { CancellationToken, JsonValue } from '#go';
import { EXPRESSION_COST_LIMIT, SCHEMA_COST_LIMIT } from '#kube';
import type { DefinitionExplained, Work } from '../protocol.ts';
import type { DefinitionCache } from './definition-cache.ts';
import { foundBounds, placedBound } from './find-bounds.ts';
import { judgeBeside, judgingOptions, reportOf, ruleReport, unmadeVerdict } from './judge-definition.ts';
import { NODE_ENGINE } from './node-linker.ts';
import { ownedFields } from './read-item.ts';

/**
 * Maximum number of expression parts in the report on one definition. Real definitions have some thousands of parts, but a hostile
 * definition could fill the memory.
 */
const PARTS = 50_000;

/** Maximum number of pieces of advice in the report on one definition. Each part of a rule may cause several pieces of advice. */
const ADVICE = 1_000;

/** Settings for the explanation of a definition. */
type ExplainSettings = DefinitionWrite & Pick<Extract<Work, { readonly kind: 'explain' }>, 'oldest' | 'others'>;

/**
 * Computes a server's verdict on the creation of one definition, and explains the costs of its rules and schemas. Throws `Cancelled` if the
 * token requests cancellation.
 */
export function explainText(
  text: DefinitionText,
  { asSent, fieldValidation, oldest, others = [] }: ExplainSettings,
  cache: DefinitionCache,
  token: CancellationToken,
): DefinitionExplained {
  const unmade = unmadeVerdict(text);
  if (unmade) return { explained: { report: reportOf(text, unmade, cache.read(text)), rules: [], advice: [], schemas: [] }, usable: false };
  const { verdict, usable, rules, schemas, advice } = explainDefinition(text.slice.bytes, {
    ...text,
    engine: NODE_ENGINE,
    recent: cache.recent,
    ownedFields: ownedFields(asSent),
    fieldValidation,
    oldest,
    others,
    token,
  });
  const additions = additionsOf(foundBounds(schemas, others.length + 1));
  const costliest = ({ factor, messageFactor = 0 }: ExplainedRule): number => Math.max(factor, messageFactor);
  const costliestFirst = rules.map(explainedRule).sort((a, b) => costliest(b) - costliest(a));
  return {
    explained: {
      report: reportOf(text, verdict, cache.read(text)),
      rules: withinParts(costliestFirst),
      advice: advice.slice(0, ADVICE),
      ...(additions && { additions }),
      schemas: schemas.map(({ version, cost, suggestions }) => ({
        version,
        cost: String(cost),
        factor: ratio(cost, SCHEMA_COST_LIMIT),
        ...(suggestions && { suggestions: suggestions.map(boundSuggestion) }),
      })),
    },
    usable,
  };
}

/** Removes the part trees of the cheapest rules if the rules have too many parts in total. The rules must be sorted by descending cost. */
function withinParts(rules: readonly ExplainedRule[]): ExplainedRule[] {
  let left = PARTS;
  return rules.map((rule) => {
    for (const parts of [rule.parts, rule.messageParts]) left -= parts === undefined ? 0 : countParts(parts);
    const { parts: _, messageParts: __, ...rest } = rule;
    return left >= 0 ? rule : rest;
  });
}

function explainedRule(rule: RuleExplanation): ExplainedRule {
  const { totalCost, parts, bounds, suggestions, messageMaxCost, messageParts, messageBounds, messageSuggestions } = rule;
  return {
    ...ruleReport(rule),
    factor: ratio(totalCost, EXPRESSION_COST_LIMIT),
    schemaShare: ratio(totalCost, SCHEMA_COST_LIMIT),
    ...(messageMaxCost !== undefined && { messageFactor: ratio(messageMaxCost, EXPRESSION_COST_LIMIT) }),
    bounds: bounds.map(costBound),
    ...(suggestions && { suggestions: suggestions.map(boundSuggestion) }),
    ...(messageParts && { messageParts: partPrice(messageParts), messageBounds: messageBounds.map(costBound) }),
    ...(messageSuggestions && { messageSuggestions: messageSuggestions.map(boundSuggestion) }),
    ...(parts && { parts: partPrice(parts) }),
  };
}

const costBound = (bound: SchemaBound): CostBound => ({ ...placedBound(bound), drives: bound.drives });

function boundSuggestion({ changes, cost }: Suggestion): BoundSuggestion {
  return { bounds: changes.map(({ bound, value }) => ({ ...placedBound(bound), suggested: Number(value) })), cost: String(cost) };
}

const ratio = (cost: bigint, limit: bigint): number => Number(cost) / Number(limit);

/**
 * Maximum length of a part's text in a report, in code points. Longer texts are shortened, because inner parts repeat text of outer parts.
 */
const EXCERPT = 200;

/**
 * Converts a part (subexpression) of a rule, with its costs, to the form in which it is sent between processes. In this form, uint64 values
 * are text, and long source texts are shortened.
 */
export function partPrice({ text, line, column, estimate, actual, parts }: CostedPart): PricedPart {
  const { own, total, evaluations } = estimate;
  const range = ({ min, max }: typeof own): PricedPart['estimate']['own'] => ({ min: String(min), max: String(max) });
  return {
    text: excerpt(text),
    line,
    column,
    estimate: { own: range(own), total: range(total), evaluations: String(evaluations) },
    ...(actual && { actual }),
    parts: parts.map(partPrice),
  };
}

function excerpt(text: string): string {
  if (text.length <= EXCERPT) return text;
  const codePoints = [...text];
  return codePoints.length <= EXCERPT ? text : `${codePoints.slice(0, EXCERPT - 1).join('')}…`;
}

/** Returns the number of parts in an expression's tree of costs, including the root. */
function countParts({ parts }: PricedPart): number {
  return parts.reduce((sum, part) => sum + countParts(part), 1);
}

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
