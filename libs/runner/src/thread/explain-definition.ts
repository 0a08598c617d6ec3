import type { CancellationToken } from '#go';
import { EXPRESSION_COST_LIMIT, SCHEMA_COST_LIMIT } from '#kube';
import { explainDefinition } from '#crd';
import type { SchemaBound, RuleExplanation, Suggestion } from '#crd';
import { additionsOf } from '#documents';
import type { BoundSuggestion, CostBound, DefinitionText, DefinitionWrite, ExplainedRule } from '#documents';
import type { DefinitionExplained, Work } from '../protocol.ts';
import type { DefinitionCache } from './definition-cache.ts';
import { reportOf, ruleReport, unmadeVerdict } from './judge-definition.ts';
import { NODE_ENGINE } from './node-linker.ts';
import { ownedFields } from './object-write.ts';
import { countParts, partPrice } from './part-price.ts';
import { foundBounds, placedBound } from './placed-bounds.ts';

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
  const dearest = ({ factor, messageFactor = 0 }: ExplainedRule): number => Math.max(factor, messageFactor);
  const dearestFirst = rules.map(explainedRule).sort((a, b) => dearest(b) - dearest(a));
  return {
    explained: {
      report: reportOf(text, verdict, cache.read(text)),
      rules: withinParts(dearestFirst),
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
