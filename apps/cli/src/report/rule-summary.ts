import type { ExplainedRule } from '#evaluation';
import type { PlacedDefinition } from '../explain.ts';
import { grouped } from '../group-digits.ts';
import { shownInLine } from '../shown-text.ts';
import type { ExplanationView } from '../report-explanation.ts';

type PlacedRule = PlacedDefinition['rules'][number];

/** A rule with all versions that have it at the same place and price. */
export type FoldedRule = PlacedRule & {
  /** With commas. */
  readonly versions: string;
};

/** Rules in the order given, each once for all versions that have it at the same place and price. */
export function foldVersions(rules: readonly PlacedRule[]): FoldedRule[] {
  const same = Map.groupBy(rules, ({ path, rule, totalCost, maxCost }) => JSON.stringify([path, rule, totalCost, maxCost]));
  return [...same.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    // What was measured, was in one of the versions.
    const measured = [first, ...others].find((rule) => rule.measured) ?? first;
    return [{ ...measured, versions: [first, ...others].map(({ version }) => version).join(', ') }];
  });
}

/** Versions whose rules cost the same together, as one. */
export function foldSchemas(
  schemas: PlacedDefinition['schemas'],
): readonly { readonly versions: string; readonly cost: string; readonly factor: number }[] {
  const same = Map.groupBy(schemas, ({ cost }) => cost);
  return [...same.values()].flatMap((group) =>
    group.slice(0, 1).map((one) => ({ ...one, versions: group.map(({ version }) => version).join(', ') })),
  );
}

/** Rules that are listed before the others are counted. */
const SHOWN_RULES = 20;
/** Columns of a rule's text. */
const RULE_WIDTH = 60;
/** What the columns of the table are. */
export const SUMMARY_HEADINGS = ['#', 'OF LIMIT', 'ESTIMATE', 'TIMES', 'MEASURED', 'AT', 'RULE', 'GROWS WITH'] as const;
/** Columns of numbers. */
export const TO_THE_RIGHT: ReadonlySet<string> = new Set(['#', 'OF LIMIT', 'ESTIMATE', 'TIMES', 'MEASURED']);

/** A table of the rules: what each may cost as a share of its limit, what did it cost, and with which list or map that grows. */
export function summaryLines(rules: readonly FoldedRule[], { verbose }: ExplanationView): string[] {
  const shown = verbose ? rules : rules.slice(0, SHOWN_RULES);
  const rows = [SUMMARY_HEADINGS, ...shown.map((rule, i) => summaryCells(rule, i + 1))];
  const columns = SUMMARY_HEADINGS.map((_, i) => i).filter((i) => rows.some((row, line) => line > 0 && row[i] !== ''));
  const widths = new Map(columns.map((i) => [i, Math.max(...rows.map((row) => [...(row[i] ?? '')].length))]));
  const lines = rows.map((row) =>
    columns
      .map((i) => {
        const space = ' '.repeat((widths.get(i) ?? 0) - [...(row[i] ?? '')].length);
        return TO_THE_RIGHT.has(SUMMARY_HEADINGS[i] as string) ? space + row[i] : row[i] + space;
      })
      .join('  ')
      .trimEnd(),
  );
  const more = rules.length - shown.length;
  return [...lines, ...(more > 0 ? [`  and ${more} more, none of them dearer`] : [])].map((line) => shownInLine(`  ${line}`));
}

/** A row of the table: of a rule, by its number from 1. Empty where there is nothing to tell. */
export function summaryCells(rule: FoldedRule, number: number): readonly string[] {
  const { error, factor, maxCost, cardinality, measured, location } = rule;
  const text = [...rule.rule.trim().replace(/\s+/g, ' ')];
  return [
    String(number),
    error !== undefined ? 'error' : factor > 1 ? `${factor >= 100 ? '> 100' : factor.toFixed(1)}x` : `${(100 * factor).toFixed(1)} %`,
    error === undefined ? grouped(maxCost) : '',
    cardinality === null ? 'unbounded' : cardinality === '1' ? '' : `×${grouped(cardinality)}`,
    measured === undefined ? '' : grouped(measured.dearest.cost),
    location === undefined ? '' : `${location.line}:${location.column}`,
    text.length > RULE_WIDTH ? `${text.slice(0, RULE_WIDTH - 1).join('')}…` : text.join(''),
    growsWith(rule),
  ];
}

/** The place without a bound, or else the largest bound, that the price depends on. */
function growsWith({ bounds }: ExplainedRule): string {
  const [worst] = bounds.toSorted((a, b) => (b.value ?? Infinity) - (a.value ?? Infinity));
  return worst === undefined
    ? ''
    : `${worst.path} (${worst.value === null ? 'no ' : ''}${worst.keyword}${worst.value === null ? '' : ` ${grouped(worst.value)}`})`;
}
