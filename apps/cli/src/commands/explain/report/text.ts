import { EXPRESSION_COST_LIMIT, SCHEMA_COST_LIMIT } from '#kube';
import { compositeNotice } from '#documents';
import type { BoundSuggestion, ExplainedRule, PricedPart } from '#documents';
import { factorText, grouped, percent, shareOrMultiple, times } from '#numbers';
import { indented, shownInLine } from '#report';
import type { PlacedExplanation } from '../explain-documents.ts';
import { adviceFinding } from '../../../evaluation/place-findings.ts';
import { policyReportLines, findingLines } from '../../../report/finding-lines.ts';
import { policyPricesText, isBesidePrices, foldSchemas, foldVersions, summaryLines } from './prices.ts';
import type { TextFile } from '../../../documents/read-documents.ts';
import type { FoldedRule, SummaryView } from './prices.ts';
import { addedBounds, boundText, suggestionText, causesText, noBoundsReason, placeText } from '../../../report/words.ts';

type ExplainedDefinition = PlacedExplanation['definitions'][number];
type Objects = PlacedExplanation['objects'];

/** Maximum number of suggestions that are shown for one rule or schema. The machine-readable forms contain all suggestions. */
const SHOWN = 5;

/** Settings for showing an explanation: the files to quote, the rules to break down, and the width of tables. */
interface ExplanationView extends SummaryView {
  /** Words for the servers that must accept the definitions, such as `Kubernetes 1.37`. */
  readonly servers: string;
  /** Files that were read, by their name. */
  readonly files: ReadonlyMap<string, TextFile>;
  /** Number of the chosen rule in the summary table, from 1. Only this rule is broken down. Undefined if no rule is chosen. */
  readonly rule?: number | undefined;
}

/**
 * Returns the explanation as readable text. For each definition, the text contains a table of its rules, with the highest cost first. It
 * then shows the chosen rules as trees, in source order.
 */
export function explanationText(
  { definitions, objects, policyReports = [], policies = [] }: PlacedExplanation,
  view: ExplanationView,
): string {
  const lines = definitions.flatMap((definition, i) => [...(i > 0 ? [''] : []), ...definitionLines(definition, objects, view)]);
  const notice = compositeNotice(definitions.map(({ report }) => report));
  if (notice !== undefined) lines.push('', shownInLine(`Note: ${notice}`));
  const policyLines = policyReports.flatMap(policyReportLines);
  if (policyLines.length > 0) lines.push(...(lines.length > 0 ? [''] : []), ...policyLines);
  if (policies.length > 0)
    lines.push(...(lines.length > 0 ? [''] : []), ...policyPricesText(policies, (item) => objects[item]?.source ?? ''));
  const unaccepted = objects.filter(({ outcome }) => outcome !== 'accepted');
  if (unaccepted.length > 0) lines.push('');
  for (const object of unaccepted) lines.push(...objectLines(object, view));
  return `${lines.join('\n')}\n`;
}

function objectLines({ source, location, findings = [], name, outcome, status }: Objects[number], view: ExplanationView): string[] {
  const about = `object${name === undefined ? '' : ` ${JSON.stringify(name)}`}`;
  if (location !== undefined && outcome === 'rejected')
    return findings.flatMap((finding) =>
      findingLines({ finding, file: location.file, lines: view.files.get(location.file)?.text.lines, about }),
    );
  const place = placeText({ location, source });
  const words = outcome === 'notEvaluated' ? 'not evaluated' : outcome;
  return [shownInLine(`${place}: ${about} ${words}`), indented(status?.message ?? '')];
}

function definitionLines(definition: ExplainedDefinition, objects: Objects, view: ExplanationView): string[] {
  const { report, schemas, measured, findings = [], source, location } = definition;
  const rules = foldVersions(definition.rules);
  const place = placeText({ location, source });
  const about = `CustomResourceDefinition ${JSON.stringify(report.name)}`;
  const lines = [
    `${shownInLine(place)}: ${shownInLine(about)} ${report.accepted ? 'accepted' : 'refused'}`,
    // The table below shows the rules that cost too much, so the text leaves out these findings.
    ...findings.filter(isBesidePrices).flatMap((finding) => {
      const file = location?.file ?? source;
      return findingLines({ finding, file, lines: view.files.get(file)?.text.lines, about });
    }),
    ...causesText(definition.causes === undefined ? [] : [definition.causes]),
    ...foldSchemas(schemas).map(
      ({ versions, cost, factor }) =>
        `  all rules of ${versions} together: ${grouped(cost)} of ${grouped(SCHEMA_COST_LIMIT)} (${factorText(factor)})`,
    ),
  ];
  if (measured) {
    const { costliest, headroom } = measured;
    const cost = costliest.cost < 0 ? 'was stopped by a limit' : `cost ${grouped(costliest.cost)} units`;
    lines.push(
      `  measured ${times(measured.objects, 'object')}: the most expensive (${shownInLine(objects[costliest.object]?.source ?? '')}) ${cost}, which leaves ${grouped(headroom ?? Infinity)} of its budget`,
    );
  }
  const chosen = rules.filter((_, i) => view.verbose || view.rule === i + 1);
  return [
    ...lines,
    ...(rules.length === 0 ? [] : ['', ...summaryLines(rules, view)]),
    ...(view.verbose ? schemas : []).flatMap(({ suggestions }) => suggestionLines(suggestions)),
    ...adviceLines(definition, view),
    ...chosen.flatMap((rule) => ['', ...ruleLines(rule, objects)]),
    ...additionsLines(definition.additions, view),
    ...(chosen.length === 0 && rules.length > 0 ? ['', HINT] : []),
    ...fixHint(definition.additions),
  ];
}

/** Maximum number of pieces of advice that are shown without `verbose`. */
const SHOWN_ADVICE = 10;

function adviceLines({ advice, source }: ExplainedDefinition, { files, verbose }: ExplanationView): string[] {
  const shown = verbose ? advice : advice.slice(0, SHOWN_ADVICE);
  if (shown.length === 0) return [];
  const lines = shown.flatMap((one) => {
    const file = one.location?.file ?? source;
    const about = `advice [${one.id}]`;
    return findingLines({ finding: { ...adviceFinding(one), field: undefined }, file, lines: files.get(file)?.text.lines, about });
  });
  const more = advice.length - shown.length;
  return ['', ...lines, ...(more > 0 ? [`  and ${more} more pieces of advice: --verbose shows all`] : [])];
}

const HINT = '  --rule N takes a rule of this table apart, --verbose all of them.';

/** Maximum number of added bounds that are shown without `verbose`. */
const SHOWN_BOUNDS = 10;

/** Returns lines with the bounds that a definition needs, or with the reason why no missing bounds suffice. */
function additionsLines(additions: ExplainedDefinition['additions'], { servers, verbose }: ExplanationView): string[] {
  if (additions === undefined) return [];
  if ('why' in additions)
    return ['', shownInLine(`  no missing bounds make Kubernetes ${servers} accept it: ${noBoundsReason(additions)}`)];
  const bounds = addedBounds(additions.bounds);
  const shown = verbose ? bounds : bounds.slice(0, SHOWN_BOUNDS);
  const more = bounds.length - shown.length;
  return [
    '',
    `  bounds with which Kubernetes ${servers} accepts the costs of all rules:`,
    ...shown.map((text) => `    ${text}`),
    ...(more > 0 ? [`    and ${more} more (--verbose shows all)`] : []),
  ];
}

/** Returns a hint how to set the suggested bounds, if there are any. */
function fixHint(additions: ExplainedDefinition['additions']): string[] {
  if (additions === undefined) return [];
  if ('bounds' in additions) return ['  --fix prints a patch with these bounds; --fix --write changes the file.'];
  return additions.tightening === undefined
    ? []
    : ['  --fix --allow-tightening lowers existing bounds, which breaks stored objects that exceed them.'];
}

function ruleLines(rule: FoldedRule, objects: Objects): string[] {
  const { versions, path, error, cardinality, measured, parts, location } = rule;
  const at = location === undefined ? '' : ` (${location.file}:${location.line}:${location.column})`;
  const lines = [`  ${shownInLine(`${versions} ${path}${at}`)}`];
  if (parts === undefined || !isShownWhole(rule.rule)) lines.push(indented(rule.rule.trim()));
  if (error !== undefined) lines.push(shownInLine(`    does not compile: ${error.split('\n', 1)[0] ?? ''}`));
  lines.push(
    `    estimate ${grouped(rule.maxCost)} × cardinality ${cardinality === null ? 'unbounded' : grouped(cardinality)} = ${grouped(rule.totalCost)} of ${grouped(EXPRESSION_COST_LIMIT)} (${factorText(rule.factor)}; of all together ${shareOrMultiple(rule.schemaShare)})`,
    ...rule.bounds.map((bound) => `      ${boundText(bound)}`),
    ...suggestionLines(rule.suggestions),
  );
  if (measured) {
    const { costliest } = measured;
    lines.push(
      `    measured ${times(measured.evaluations, 'evaluation')} in ${times(measured.objects, 'object')}: ${grouped(measured.cost)} units; maximum ${grouped(costliest.cost)}, ${percent(costliest.cost / Number(rule.maxCost))} of the estimate, headroom ${grouped(measured.headroom ?? Infinity)} (${shownInLine(objects[costliest.object]?.source ?? '')}${costliest.at === '<nil>' ? '' : ` ${shownInLine(costliest.at)}`})`,
    );
  }
  if (parts) lines.push(...partLines(parts).map((line) => shownInLine(`    ${line}`)));
  return [...lines, ...messageLines(rule)];
}

/** Returns the lines about the messageExpression of a rule. The estimate of a messageExpression is not multiplied by the cardinality. */
function messageLines(rule: ExplainedRule): string[] {
  const { messageMaxCost, messageFactor = 0, messageError, messageParts, messageBounds = [], messageSuggestions } = rule;
  if (messageError !== undefined) return [shownInLine(`    messageExpression does not compile: ${messageError.split('\n', 1)[0] ?? ''}`)];
  if (messageMaxCost === undefined) return [];
  return [
    `    messageExpression: estimate ${grouped(messageMaxCost)} of ${grouped(EXPRESSION_COST_LIMIT)} (${factorText(messageFactor)})`,
    ...messageBounds.map((bound) => `      ${boundText(bound)}`),
    ...suggestionLines(messageSuggestions),
    ...(messageParts ? partLines(messageParts).map((line) => shownInLine(`    ${line}`)) : []),
  ];
}

function suggestionLines(suggestions: readonly BoundSuggestion[] | undefined): string[] {
  if (suggestions === undefined) return [];
  if (suggestions.length === 0)
    return ['    no missing bound brings this under the limit: the rule itself must cost less, or existing bounds must be lowered'];
  const more = suggestions.length - SHOWN;
  return [
    ...suggestions.slice(0, SHOWN).map((one, i) => `    ${i === 0 ? '→' : '  or'} ${suggestionText(one)}`),
    ...(more > 0 ? [`      or ${more} more ways`] : []),
  ];
}

/** Maximum width of the shown source text, in characters. */
const TEXT_WIDTH = 100;
/**
 * Share of the total cost that the marked parts must reach together. Parts are marked in descending order of their cost without subparts.
 */
const MARKED_SHARE = 0.5;

interface Row {
  readonly text: string;
  readonly part: PricedPart;
}

/** Returns true if the printed cost tree of a rule shows the whole text of the rule, without shortening it. */
const isShownWhole = (rule: string): boolean => excerpt(rule.trim()) === rule.trim();

/**
 * Returns the cost tree of a rule as indented lines in source order. Each line shows one part of the rule, its cost including its subparts,
 * and the number of its evaluations. The figures are estimated, and also measured if measurements exist. Marks show the parts that cause
 * most of the cost.
 */
function partLines(root: PricedPart): string[] {
  const rows = rowsOf(root, 0);
  const estimates = [
    column('estimate', rows, ({ estimate }) => grouped(estimate.total.max)),
    column('times', rows, ({ estimate }) => `×${grouped(estimate.evaluations)}`),
  ];
  const measurements = [
    column('actual', rows, ({ actual }) => grouped(actual?.total ?? 0)),
    column('times', rows, ({ actual }) => `×${grouped(actual?.evaluations ?? 0)}`),
  ];
  const columns = root.actual === undefined ? estimates : [...estimates, ...measurements];
  const cellsOf = (line: number): string => columns.map((cells) => cells[line]).join('  ');
  const shares = [
    sharesOf('the estimate', rows, ({ estimate }) => Number(estimate.own.max)),
    sharesOf('the actual cost', rows, ({ actual }) => actual?.own ?? 0),
  ];
  const lines = rows.map(({ text, part }, i) => {
    const marks = shares.flatMap((marked) => marked.get(part) ?? []);
    return `${cellsOf(i + 1)}  ${text}${marks.length === 0 ? '' : `  ◄ ${marks.join(', ')}`}`;
  });
  return [cellsOf(0), ...lines];
}

function rowsOf(part: PricedPart, depth: number): Row[] {
  return [{ text: '  '.repeat(depth) + excerpt(part.text), part }, ...part.parts.flatMap((inner) => rowsOf(inner, depth + 1))];
}

function excerpt(text: string): string {
  const codePoints = [...text.replace(/\s+/g, ' ')];
  return codePoints.length > TEXT_WIDTH ? `${codePoints.slice(0, TEXT_WIDTH - 1).join('')}…` : codePoints.join('');
}

/** Returns the cells of a column with its title first, all padded to one width. */
function column(title: string, rows: readonly Row[], cell: (part: PricedPart) => string): string[] {
  const cells = [title, ...rows.map(({ part }) => cell(part))];
  const width = Math.max(...cells.map((text) => text.length));
  return cells.map((text) => text.padStart(width));
}

/**
 * Returns the parts that together cause at least `MARKED_SHARE` of the cost, each with its share as text. Returns no parts if there is only
 * one part.
 */
function sharesOf(of: string, rows: readonly Row[], own: (part: PricedPart) => number): ReadonlyMap<PricedPart, string> {
  const parts = rows.map(({ part }) => part).sort((a, b) => own(b) - own(a));
  const whole = parts.reduce((sum, part) => sum + own(part), 0);
  const marked = new Map<PricedPart, string>();
  let reached = 0;
  for (const part of parts) {
    if (parts.length === 1 || reached >= MARKED_SHARE * whole) break;
    reached += own(part);
    marked.set(part, `${Math.round((100 * own(part)) / whole)} % of ${of}`);
  }
  return marked;
}
