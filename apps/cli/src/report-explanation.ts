import { EXPRESSION_COST_LIMIT, SCHEMA_COST_LIMIT } from '#kube';
import type { BoundSuggestion, CostBound, ExplainedRule } from '#evaluation';
import type { PlacedExplanation } from './explain.ts';
import { grouped } from './group-digits.ts';
import { isShownWhole, partLines } from './report-parts.ts';
import { policyReportLines } from './report-policies.ts';
import { policyPricesText } from './report-policy-prices.ts';
import { indented, shownInLine } from './shown-text.ts';

type ExplainedDefinition = PlacedExplanation['definitions'][number];
type Objects = PlacedExplanation['objects'];

/** Suggestions shown of one rule or schema; the machine-readable forms have all. */
const SHOWN = 5;

/** The explanation as lines for people: rules dearest first, each as a tree in source order. */
export function explanationText({ definitions, objects, policyReports = [], policies = [] }: PlacedExplanation): string {
  const lines = definitions.flatMap((definition, i) => [...(i > 0 ? [''] : []), ...definitionLines(definition, objects)]);
  const told = policyReports.flatMap(policyReportLines);
  if (told.length > 0) lines.push(...(lines.length > 0 ? [''] : []), ...told);
  if (policies.length > 0)
    lines.push(...(lines.length > 0 ? [''] : []), ...policyPricesText(policies, (item) => objects[item]?.source ?? ''));
  const unaccepted = objects.filter(({ outcome }) => outcome !== 'accepted');
  if (unaccepted.length > 0) lines.push('');
  for (const { source, name, outcome, status } of unaccepted)
    lines.push(
      `${shownInLine(source)}: object${name === undefined ? '' : ` "${shownInLine(name)}"`} ${outcome === 'notEvaluated' ? 'not evaluated' : outcome}`,
      indented(status?.message ?? ''),
    );
  return `${lines.join('\n')}\n`;
}

function definitionLines({ source, report, rules, schemas, measured }: ExplainedDefinition, objects: Objects): string[] {
  const lines = [`${shownInLine(source)}: ${shownInLine(report.name) || 'definition'} ${report.accepted ? 'accepted' : 'refused'}`];
  if (report.status) lines.push(indented(report.status.message));
  for (const { version, cost, factor, suggestions } of schemas)
    lines.push(
      `  version ${version}: all rules together cost ${grouped(cost)} of ${grouped(SCHEMA_COST_LIMIT)} (${factorText(factor)})`,
      ...suggestionLines(suggestions),
    );
  if (measured) {
    const { dearest, headroom } = measured;
    const cost = dearest.cost < 0 ? 'was stopped by a limit' : `cost ${grouped(dearest.cost)} units`;
    lines.push(
      `  measured ${times(measured.objects, 'object')}: the dearest (${shownInLine(objects[dearest.object]?.source ?? '')}) ${cost}, which leaves ${grouped(headroom ?? Infinity)} of its budget`,
    );
  }
  return [...lines, ...rules.flatMap((rule) => ['', ...ruleLines(rule, objects)])];
}

function ruleLines(rule: ExplainedRule, objects: Objects): string[] {
  const { version, path, error, cardinality, measured, parts } = rule;
  const lines = [`  ${shownInLine(`${version} ${path}`)}`];
  if (parts === undefined || !isShownWhole(rule.rule)) lines.push(`    ${rule.rule.trim().replaceAll('\n', '\n    ')}`);
  if (error !== undefined) lines.push(`    does not compile: ${error.split('\n', 1)[0] ?? ''}`);
  lines.push(
    `    estimate ${grouped(rule.maxCost)} × cardinality ${cardinality === null ? 'unbounded' : grouped(cardinality)} = ${grouped(rule.totalCost)} of ${grouped(EXPRESSION_COST_LIMIT)} (${factorText(rule.factor)}; of all together ${shareText(rule.schemaShare)})`,
    ...rule.bounds.map((bound) => `      ${boundText(bound)}`),
    ...suggestionLines(rule.suggestions),
  );
  if (measured) {
    const { dearest } = measured;
    lines.push(
      `    measured ${times(measured.evaluations, 'evaluation')} in ${times(measured.objects, 'object')}: ${grouped(measured.cost)} units; the dearest ${grouped(dearest.cost)}, ${percent(dearest.cost / Number(rule.maxCost))} of the estimate, headroom ${grouped(measured.headroom ?? Infinity)} (${shownInLine(objects[dearest.object]?.source ?? '')}${dearest.at === '<nil>' ? '' : ` ${shownInLine(dearest.at)}`})`,
    );
  }
  if (parts) lines.push(...partLines(parts).map((line) => `    ${line}`));
  return [...lines, ...messageLines(rule)];
}

/** The messageExpression, whose estimate is not multiplied by the cardinality. */
function messageLines({ messageMaxCost, messageError, messageParts, messageBounds = [], messageSuggestions }: ExplainedRule): string[] {
  if (messageError !== undefined) return [`    messageExpression does not compile: ${messageError.split('\n', 1)[0] ?? ''}`];
  if (messageMaxCost === undefined) return [];
  return [
    `    messageExpression: estimate ${grouped(messageMaxCost)} of ${grouped(EXPRESSION_COST_LIMIT)} (${factorText(Number(messageMaxCost) / Number(EXPRESSION_COST_LIMIT))})`,
    ...messageBounds.map((bound) => `      ${boundText(bound)}`),
    ...suggestionLines(messageSuggestions),
    ...(messageParts ? partLines(messageParts).map((line) => `    ${line}`) : []),
  ];
}

function boundText({ path, keyword, value, drives }: CostBound): string {
  const bound = value === null ? `no ${keyword}: unbounded` : `${keyword} ${grouped(value)}`;
  return `${shownInLine(path)}: ${bound}${drives === 'evaluations' ? ' (the rule runs for each)' : ''}`;
}

function suggestionLines(suggestions: readonly BoundSuggestion[] | undefined): string[] {
  if (suggestions === undefined) return [];
  if (suggestions.length === 0) return ['    no bound brings this under the limit: the rule itself must cost less'];
  const more = suggestions.length - SHOWN;
  return [
    ...suggestions.slice(0, SHOWN).map((one) => `    → ${suggestionText(one)}`),
    ...(more > 0 ? [`    → and ${more} more ways`] : []),
  ];
}

/** `spec.list: maxItems 4,096 would do (now unbounded)`. */
function suggestionText({ bounds }: BoundSuggestion): string {
  const wanted = bounds.map(({ path, keyword, suggested }) => `${shownInLine(path)}: ${keyword} ${grouped(suggested)}`);
  const now = bounds.map(({ value }) => (value === null ? 'unbounded' : grouped(value)));
  const before = new Set(now).size === 1 ? now[0] : now.join(', ');
  return bounds.length === 1 ? `${wanted.join('')} would do (now ${before})` : `${wanted.join(', ')} together would do (now ${before})`;
}

const times = (count: number, what: string): string => `${grouped(count)} ${what}${count === 1 ? '' : 's'}`;
const factorText = (factor: number): string =>
  factor > 1 ? `exceeds the limit ${factor < 1.5 ? factor.toFixed(6) : factor.toFixed(1)}x` : percent(factor);
const percent = (share: number): string => `${(100 * share).toFixed(share < 0.001 ? 4 : 1)} %`;
const shareText = (share: number): string => (share > 1 ? `${share.toFixed(1)}x` : percent(share));
