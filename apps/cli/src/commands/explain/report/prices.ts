import type { CostBound, ExpressionPrice, ListGrowth, PolicyPrice } from '#documents';
import type { EditorFinding } from '#editing';
import { OBJECT_BUDGET, PER_CALL_LIMIT } from '#kube';
import { columnShare, grouped, shortCost, finePercent } from '#numbers';
import { cutText, shownInLine } from '#report';
import { fittedTable } from '../../../report/fitted-table.ts';
import type { PlacedDefinition } from '../explain-documents.ts';

type PlacedRule = PlacedDefinition['rules'][number];

/** Rule, with the names of all versions that contain it at the same path with the same cost. */
export type FoldedRule = PlacedRule & {
  /** Names of the versions, separated by commas. */
  readonly versions: string;
};

/** Combines equal rules of different versions into one rule. Rules are equal if path, text and cost are the same. The order is kept. */
export function foldVersions(rules: readonly PlacedRule[]): FoldedRule[] {
  const same = Map.groupBy(rules, ({ path, rule, totalCost, maxCost }) => JSON.stringify([path, rule, totalCost, maxCost]));
  return [...same.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    // Measurements exist for at most one version of a rule.
    const measured = [first, ...others].find((rule) => rule.measured) ?? first;
    return [{ ...measured, versions: [first, ...others].map(({ version }) => version).join(', ') }];
  });
}

/** Combines versions whose rules have the same total cost into one entry. `versions` lists their names, separated by commas. */
export function foldSchemas(
  schemas: PlacedDefinition['schemas'],
): readonly { readonly versions: string; readonly cost: string; readonly factor: number }[] {
  const same = Map.groupBy(schemas, ({ cost }) => cost);
  return [...same.values()].flatMap((group) =>
    group.slice(0, 1).map((one) => ({ ...one, versions: group.map(({ version }) => version).join(', ') })),
  );
}

/** Maximum number of rules that are listed without `verbose`. Rules above this number are only counted. */
const SHOWN_RULES = 20;
/** Maximum width of a rule's text, in characters, if the width of the table is limited. */
const RULE_WIDTH = 60;
/** Headings of the table of rules that `assay explain` prints. */
export const SUMMARY_HEADINGS = ['#', 'OF LIMIT', 'ESTIMATE', 'TIMES', 'MEASURED', 'LINE', 'GROWS WITH', 'RULE'] as const;
/** Columns of the summary table that contain numbers and are right-aligned. */
export const RIGHT_ALIGNED: ReadonlySet<string> = new Set(['#', 'OF LIMIT', 'ESTIMATE', 'TIMES', 'MEASURED']);

/** Minimum share of the cost limit for which a messageExpression is shown in a separate row of the table. */
const SHOWN_MESSAGE_SHARE = 0.01;

const FORM = {
  headings: SUMMARY_HEADINGS,
  toTheRight: RIGHT_ALIGNED,
  flexible: [
    ['RULE', 24],
    ['GROWS WITH', 12],
  ],
} as const;

/** Settings for showing a table of rules. */
export interface SummaryView {
  /** True if all rules are listed, and the cost of each rule is broken down into its parts. */
  readonly verbose: boolean;
  /** Maximum width of a table, in characters. */
  readonly columns?: number | undefined;
}

/**
 * Returns the lines of a table of rules. For each rule, the table shows the share of the cost limit, the measured cost, and the list or map
 * with which the cost grows. The table fits into `columns` characters. If `columns` is undefined, the texts of rules are whole.
 */
export function summaryLines(rules: readonly FoldedRule[], { verbose, columns }: SummaryView): string[] {
  const shown = verbose ? rules : rules.slice(0, SHOWN_RULES);
  const lines = fittedTable(
    FORM,
    shown.flatMap((rule, i) => summaryRows(rule, i + 1, columns === undefined ? Infinity : RULE_WIDTH)),
    columns,
  );
  const more = rules.length - shown.length;
  return [...lines, ...(more > 0 ? [`    and ${more} more, none more expensive`] : [])];
}

/**
 * Returns the rows of one rule in the table of rules and costs. The first row is for the rule, with its number from 1. A second row is for
 * its messageExpression if it costs at least `SHOWN_MESSAGE_SHARE` of the limit. A cell may be empty.
 */
export function summaryRows(rule: FoldedRule, number: number, ruleWidth = RULE_WIDTH): readonly (readonly string[])[] {
  const { error, factor, maxCost, cardinality, measured, location, bounds } = rule;
  const own = [
    String(number),
    error === undefined ? columnShare(factor) : 'error',
    error === undefined ? shortCost(maxCost) : '',
    cardinality === null ? 'unbounded' : cardinality === '1' ? '' : `×${grouped(cardinality)}`,
    measured === undefined ? '' : grouped(measured.costliest.cost),
    location === undefined ? '' : `${location.line}:${location.column}`,
    growsWith(bounds),
    cutText(rule.rule.trim().replace(/\s+/g, ' '), ruleWidth),
  ];
  const { messageFactor = 0, messageMaxCost = '', messageParts, messageBounds = [] } = rule;
  if (messageFactor < SHOWN_MESSAGE_SHARE) return [own];
  const text = `messageExpression of ${number}${messageParts === undefined ? '' : `: ${messageParts.text.replace(/\s+/g, ' ')}`}`;
  return [own, ['', columnShare(messageFactor), shortCost(messageMaxCost), '', '', '', growsWith(messageBounds), cutText(text, ruleWidth)]];
}

/**
 * Returns a text about the field on which the cost mainly depends. It is a field without a bound, if any, or the field with the largest
 * bound. Returns an empty text if there are no bounds.
 */
function growsWith(bounds: readonly CostBound[]): string {
  const [worst] = bounds.toSorted((a, b) => (b.value ?? Infinity) - (a.value ?? Infinity));
  return worst === undefined
    ? ''
    : `${worst.path} (${worst.value === null ? 'no ' : ''}${worst.keyword}${worst.value === null ? '' : ` ${grouped(worst.value)}`})`;
}

/**
 * Returns false if a finding only reports that a rule or the whole definition costs too much. The finding is left out because the table of
 * costs already shows this.
 */
export const isBesidePrices = ({ message }: EditorFinding): boolean =>
  !/ cost (?:exceeds|total exceeding)|cost total for entire/.test(message);

/** Returns the costs of policies as readable text. `sourceOf` returns the file location of an object of the batch. */
export function policyPricesText(prices: readonly PolicyPrice[], sourceOf: (item: number) => string): string[] {
  return prices.flatMap(({ policy, evaluations, cost, costliest, budgetShare, expressions, growth = [] }, i) => [
    ...(i > 0 ? [''] : []),
    `policy ${shownInLine(policy)}: ${grouped(evaluations)} evaluations, ${grouped(cost)} units`,
    `  maximum ${grouped(costliest.cost)} of ${grouped(OBJECT_BUDGET)} (${finePercent(budgetShare)}): ${shownInLine(sourceOf(costliest.item))}`,
    ...expressions.map((expression) => `  ${expressionText(expression, sourceOf)}`),
    ...growth.filter(isPrinted).map((one) => `  ${growthText(one)}`),
  ]);
}

/** Returns true if a growth is printed: all lists, and the maps and texts that can end an evaluation. */
const isPrinted = ({ unit, mayGrowTo }: ListGrowth): boolean => unit === 'elements' || mayGrowTo !== null;

function expressionText(
  { part, index, name, evaluations, costliest, limitShare }: ExpressionPrice,
  sourceOf: (item: number) => string,
): string {
  const what = placeText({ part, index, name });
  const most = `maximum ${grouped(costliest.cost)} of ${grouped(PER_CALL_LIMIT)} (${finePercent(limitShare)})`;
  return `${shownInLine(what)}: ${grouped(evaluations)} evaluations, ${most}, ${shownInLine(sourceOf(costliest.item))}`;
}

const ONE_OF = { elements: 'element', entries: 'entry', characters: 'character' } as const;

/**
 * Returns a sentence about the size to which a list, map or text may grow before a limit ends the evaluation: `spec.containers (2 elements)
 * may grow to 812 for validation 0: with one more the limit of one evaluation stops it`.
 */
function growthText({ part, index, name, list, unit, param, length, mayGrowTo, largest, endsBy, isChecked }: ListGrowth): string {
  const owner = param === undefined ? '' : ` of the parameter ${param}`;
  const which = shownInLine(`${list}${owner} (${grouped(length)} ${length === 1 ? ONE_OF[unit] : unit})`);
  const what = shownInLine(placeText({ part, index, name }));
  if (mayGrowTo === null)
    return `${which} does not end ${what} before the object is as long as a request may be (${grouped(largest)} ${unit}, 3 MiB)`;
  if (!isChecked) return `${which} may grow to ${grouped(mayGrowTo)} for ${what}, perhaps longer: the search was given up`;
  const why = endsBy === 'budget' ? 'the budget of the policy is spent before' : 'the limit of one evaluation stops it';
  return `${which} may grow to ${grouped(mayGrowTo)} for ${what}: with one more ${why}`;
}

function placeText({ part, index, name }: { readonly part: string; readonly index: number; readonly name: string | undefined }): string {
  return part === 'variable' ? `variables.${name ?? ''}` : `${part} ${index}${name === undefined ? '' : ` ${name}`}`;
}
