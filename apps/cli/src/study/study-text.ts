import type { PlacedFindings, StudyReport } from '#benchmark';
import { timeText } from '#charts';
import { grouped } from '../group-digits.ts';
import { times } from '../report/counted.ts';
import { cut, fittedTable } from '../report/fitted-table.ts';
import { shownInLine } from '../shown-text.ts';
import type { FailedGate } from './study-gate.ts';
import { costChangeText, ratioText, timeChangeText } from './study-words.ts';

/** Rules that are listed of each definition before the others are counted. */
const SHOWN_RULES = 40;
/** Columns of a rule's text. */
const RULE_WIDTH = 60;
/** A rule takes more than it costs if a unit takes so many times the median over functions. */
const DEAR_UNIT = 4;

const HEADINGS = [
  '#',
  'GROWS WITH',
  'COST',
  'REFUSED FROM',
  'DEAREST FOUND',
  'ESTIMATE ÷ IT',
  'TIME',
  'OF WRITE',
  'ON A SERVER',
  'AT',
  'RULE',
] as const;
const FORM = {
  headings: HEADINGS,
  toTheRight: new Set<string>(['#', 'COST', 'REFUSED FROM', 'DEAREST FOUND', 'ESTIMATE ÷ IT', 'TIME', 'OF WRITE', 'ON A SERVER']),
  flexible: [
    ['RULE', 24],
    ['GROWS WITH', 16],
  ],
} as const;

/** The settings of a study's text. */
export interface StudyView {
  /** Characters in a line of a table. */
  readonly columns: number | undefined;
  readonly failed: readonly FailedGate[];
}

/** Returns a study as lines for people: a table of rules for each definition, then what stands out. */
export function studyText(report: StudyReport, { columns, failed }: StudyView): string {
  const byDefinition = Map.groupBy(report.rules, ({ definition, source }) => `${source}: ${definition}`);
  const lines = [...byDefinition].flatMap(([name, rules]) => [
    '',
    shownInLine(`${name}: ${times(rules.length, 'rule')}`),
    ...tableLines(rules, columns),
  ]);
  return [headLine(report), ...lines, ...standsOut(report), ...gateLines(failed), ''].join('\n');
}

function headLine({ kubernetesVersion, budgetMs, seed, node, cpu, isPartial }: StudyReport): string {
  const state = isPartial ? '; the time did not suffice for every search to end' : '';
  return `Kubernetes ${kubernetesVersion}, ${budgetMs / 1000} s, seed ${seed}, Node ${node}, ${cpu}${state}. Costs are exact. Times are Assay's, compiled; those on a server are predicted.`;
}

function tableLines(rules: readonly PlacedFindings[], columns: number | undefined): string[] {
  const studied = foldVersions(rules.filter(({ notStudied }) => notStudied === undefined));
  const shown = studied.toSorted((a, b) => (b.worst?.cost ?? -1) - (a.worst?.cost ?? -1)).slice(0, SHOWN_RULES);
  const more = studied.length - shown.length;
  return [
    ...(shown.length === 0
      ? []
      : fittedTable(
          FORM,
          shown.map((rule, i) => row(rule, i + 1)),
          columns,
        )),
    ...(more > 0 ? [`    and ${more} more, none of them dearer`] : []),
  ];
}

/** Returns rules, each once for all versions that have it at the same place: with the findings about the version in which it costs most. */
function foldVersions(rules: readonly PlacedFindings[]): readonly PlacedFindings[] {
  const costOf = ({ worst }: PlacedFindings): number => worst?.cost ?? -1;
  return [...Map.groupBy(rules, ({ path, rule }) => JSON.stringify([path, rule])).values()].flatMap((same) => {
    const [dearest] = same.toSorted((a, b) => costOf(b) - costOf(a));
    return dearest === undefined ? [] : [{ ...dearest, version: same.map(({ version }) => version).join(', ') }];
  });
}

function row(rule: PlacedFindings, number: number): readonly string[] {
  const [steepest] = rule.growsWith;
  const { worst, estimateOverWorst } = rule;
  const ofRule = rule.times.find(({ engine, what }) => engine === 'Assay compiled' && what === 'rule');
  const ofWrite = rule.times.find(({ what }) => what === 'write');
  return [
    String(number),
    steepest === undefined
      ? worst === undefined
        ? ''
        : 'nothing'
      : `${steepest.field}${steepest.unit === 'items' ? '' : ` (${steepest.unit})`}`,
    steepest === undefined ? '' : (steepest.near ?? `n^${steepest.costExponent.toFixed(2)}`),
    refusedFrom(rule),
    worst === undefined ? '' : `${grouped(worst.cost)}${worst.end === 'accepted' ? '' : ` (${worst.end} limit)`}`,
    estimateOverWorst === undefined ? '' : ratioText(estimateOverWorst),
    ofRule === undefined ? '' : timeText(ofRule.ms),
    ofWrite === undefined ? '' : timeText(ofWrite.ms),
    rule.serverTime?.kind === 'predicted' ? `≈ ${timeText(rule.serverTime.ms)}` : '',
    rule.version,
    cut(rule.rule.trim().replace(/\s+/g, ' '), RULE_WIDTH),
  ];
}

/** Returns the first refused length; in parentheses, the length that would be refused if the schema had no bound. */
function refusedFrom({ budgetEndsAt, growsWith: [steepest] }: PlacedFindings): string {
  if (budgetEndsAt !== undefined) return `${grouped(budgetEndsAt.size)}${budgetEndsAt.limit === 'object' ? ' (object)' : ''}`;
  return steepest?.wouldEndAt === undefined ? '' : `(${grouped(steepest.wouldEndAt)})`;
}

/** Returns sections about estimates that are no bound, units that take long, regressions, and rules without a study. */
function standsOut({ rules, notStudied, base }: StudyReport): readonly string[] {
  const about = (rule: PlacedFindings, text: string): string => shownInLine(`  ${rule.version} ${rule.path}: ${text}`);
  const section = (title: string, lines: readonly string[]): readonly string[] =>
    lines.length === 0
      ? []
      : [
          '',
          `${title}:`,
          ...lines.slice(0, SHOWN_RULES),
          ...(lines.length > SHOWN_RULES ? [`  and ${lines.length - SHOWN_RULES} more`] : []),
        ];
  return [
    ...section(
      'These cost more than their estimate, which is no bound',
      rules
        .filter(({ estimateOverWorst = 1 }) => estimateOverWorst < 1)
        .map((rule) => about(rule, `${ratioText(rule.estimateOverWorst ?? 1)} the dearest found`)),
    ),
    ...section(
      `A cost unit of these takes more than ${DEAR_UNIT} times the median over functions`,
      rules.flatMap((rule) => {
        const time = rule.times.find(({ engine, timesMedian = 0 }) => engine === 'Assay compiled' && timesMedian > DEAR_UNIT);
        return time?.nsPerUnit === undefined
          ? []
          : [about(rule, `${time.nsPerUnit.toFixed(1)} ns, ${ratioText(time.timesMedian ?? 0)} (${time.engine})`)];
      }),
    ),
    ...section(
      'These bounds would bring an estimate under its limit',
      rules.flatMap((rule) =>
        rule.suggestedBounds.length === 0
          ? []
          : [
              about(
                rule,
                rule.suggestedBounds.map(({ field, keyword, suggested }) => `${keyword} ${grouped(suggested)} at ${field}`).join(', '),
              ),
            ],
      ),
    ),
    ...(base === undefined
      ? []
      : section(
          `Beside ${base}`,
          rules.flatMap((rule) => comparisonLine(rule).map((text) => about(rule, text))),
        )),
    ...section(
      'Not studied',
      notStudied.map(({ reason, rules: count }) => shownInLine(`  ${times(count, 'rule')}: ${reason}`)),
    ),
  ];
}

function comparisonLine({ base }: PlacedFindings): readonly string[] {
  if (base === undefined) return [];
  const time = base.kind === 'compared' && base.time !== undefined && CHANGES.has(base.time.verdict) ? timeChangeText(base) : undefined;
  const isEqual = base.kind === 'compared' && base.cost.verdict === 'equal';
  if (isEqual && time === undefined) return [];
  return [`${isEqual ? 'cost equal' : costChangeText(base)}${time === undefined ? '' : `; ${time}`}`];
}

const CHANGES: ReadonlySet<string> = new Set(['slower', 'faster']);

function gateLines(failed: readonly FailedGate[]): readonly string[] {
  if (failed.length === 0) return [];
  return ['', 'Failed:', ...failed.map(({ rule, text }) => shownInLine(`  ${rule.source} ${rule.version} ${rule.path}: ${text}`))];
}
