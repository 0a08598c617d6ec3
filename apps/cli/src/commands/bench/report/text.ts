import type { PlacedFindings, StudyReport } from '#benchmark';
import { timeText, grouped, times } from '#numbers';
import { compositeNotice } from '#documents';
import { minorWords } from '#kube';
import {
  cutText,
  indented,
  NOT_FINISHED,
  shownInLine,
  againstText,
  costChangeText,
  growingFields,
  growthName,
  ratioText,
  refusedFrom,
  timeChangeText,
  withUnfinishedNote,
} from '#report';
import { fittedTable } from '../../../report/fitted-table.ts';
import type { FailedGate } from '../study-gate.ts';

/** Maximum number of rules that are listed per definition. Rules above this number are only counted. */
const SHOWN_RULES = 40;
/** Maximum width of a rule's text, in characters, if the width of the table is limited. */
const RULE_WIDTH = 60;
/**
 * Ratio above which a rule is reported as slow for its cost. The ratio is the rule's time per cost unit, divided by the median time per
 * cost unit over many functions that the study measures.
 */
const SLOW_UNIT = 4;

const HEADINGS = [
  '#',
  'GROWS WITH',
  'COST',
  'REFUSED FROM SIZE',
  'HIGHEST FOUND',
  'ESTIMATE ÷ FOUND',
  'TIME',
  'OF WRITE',
  'ON A SERVER',
  'CHANGE',
  'VERSION',
  'RULE',
] as const;
const FORM = {
  headings: HEADINGS,
  toTheRight: new Set<string>(['#', 'COST', 'REFUSED FROM SIZE', 'HIGHEST FOUND', 'ESTIMATE ÷ FOUND', 'TIME', 'OF WRITE', 'ON A SERVER']),
  flexible: [
    ['RULE', 24],
    ['GROWS WITH', 16],
  ],
} as const;

/** Settings for printing a study: the maximum width of a table, and the violated gates. */
export interface StudyView {
  /** Maximum width of a table, in characters. If it is undefined, the texts of rules are whole. */
  readonly columns: number | undefined;
  readonly failed: readonly FailedGate[];
}

/** Returns a study as readable text: a table of rules for each definition, then the remarkable findings. */
export function studyText(report: StudyReport, { columns, failed }: StudyView): string {
  const bySource = Map.groupBy(report.rules, ({ source }) => source);
  const lines = report.definitions.flatMap((definition) => [
    '',
    ...definitionLines(definition),
    ...tableLines(bySource.get(definition.source) ?? [], columns),
  ]);
  const notice = compositeNotice(report.definitions.map(({ definition: name = '', composite }) => ({ name, composite })));
  const notices = notice === undefined ? [] : ['', shownInLine(`Note: ${notice}`)];
  return [headLine(report), ...notices, ...lines, ...standsOut(report), ...gateLines(failed), ''].join('\n');
}

function headLine({ kubernetesVersion, budgetMs, seed, node, cpu, isPartial }: StudyReport): string {
  const state = isPartial ? '; the time did not suffice for every search to end' : '';
  return `Kubernetes ${minorWords(kubernetesVersion)}, ${budgetMs / 1000} s, seed ${seed}, Node ${node}, ${cpu}${state}. Costs are exact. Times are Assay's, compiled; those on a server are predicted.`;
}

/** Returns the lines about a definition: its name, the number of its rules, and the server's objections to it. */
function definitionLines(report: StudyReport['definitions'][number]): string[] {
  const { source, definition, rules } = report;
  const name = definition === undefined ? source : `${source}: ${definition}`;
  const against = againstText(report);
  return [shownInLine(`${name}: ${times(rules, 'rule')}`), ...(against === undefined ? [] : [indented(against)])];
}

function tableLines(rules: readonly PlacedFindings[], columns: number | undefined): string[] {
  const studied = foldVersions(rules.filter(({ notStudied }) => notStudied === undefined)).toSorted(
    (a, b) => (b.worst?.cost ?? -1) - (a.worst?.cost ?? -1),
  );
  const shown = studied.slice(0, SHOWN_RULES);
  const more = studied.slice(SHOWN_RULES);
  const missed = foldVersions(
    rules.filter(({ cutOff }) => cutOff === 'study').toSorted((a, b) => Number(isTouched(b)) - Number(isTouched(a))),
  );
  const listed = missed.slice(0, SHOWN_RULES);
  const others = missed.length - listed.length;
  return [
    ...(shown.length + listed.length === 0
      ? []
      : fittedTable(
          FORM,
          [...shown, ...listed].map((rule, i) => row(rule, i + 1, columns === undefined ? Infinity : RULE_WIDTH)),
          columns,
        )),
    ...(more.length > 0 ? [`    and ${more.length} more, ${restText(more)}`] : []),
    ...(others > 0 ? [`    and ${others} more that were cut off`] : []),
  ];
}

/** Returns what is known of the rules that the table omits. Only finished searches show that these rules are cheaper. */
function restText(rules: readonly PlacedFindings[]): string {
  const open = rules.filter(({ isPartial }) => isPartial).length;
  return open === 0 ? 'none more expensive' : `${open} of them ${NOT_FINISHED}`;
}

/** Returns true if the change since the older revision touches a rule. */
const isTouched = ({ change }: PlacedFindings): boolean => change !== undefined && change !== 'none' && change !== 'gone';

/**
 * Combines equal rules of different versions into one rule, which names all these versions. The result has the findings for the version in
 * which the rule costs most.
 */
function foldVersions(rules: readonly PlacedFindings[]): readonly PlacedFindings[] {
  const costOf = ({ worst }: PlacedFindings): number => worst?.cost ?? -1;
  return [...Map.groupBy(rules, ({ path, rule }) => JSON.stringify([path, rule])).values()].flatMap((same) => {
    const [costliest] = same.toSorted((a, b) => costOf(b) - costOf(a));
    return costliest === undefined ? [] : [{ ...costliest, version: same.map(({ version }) => version).join(', ') }];
  });
}

function row(rule: PlacedFindings, number: number, ruleWidth: number): readonly string[] {
  const { estimateOverWorst } = rule;
  const ofRule = rule.times.find(({ engine, what }) => engine === 'Assay compiled' && what === 'rule');
  const ofWrite = rule.times.find(({ what }) => what === 'write');
  return [
    String(number),
    growsWithText(rule),
    growthName(rule),
    refusedFrom(rule),
    costliestText(rule),
    estimateOverWorst === undefined ? '' : ratioText(estimateOverWorst),
    ofRule === undefined ? '' : timeText(ofRule.ms),
    ofWrite === undefined ? '' : timeText(ofWrite.ms),
    onServer(rule),
    isTouched(rule) ? (rule.change ?? '') : '',
    rule.version,
    cutText(rule.rule.trim().replace(/\s+/g, ' '), ruleWidth),
  ];
}

/**
 * Returns the cost of the most expensive write found, with `or more` if the search was not complete. Otherwise says that the rule was cut off, or
 * that no write was found.
 */
function costliestText({ worst, isPartial, cutOff }: PlacedFindings): string {
  if (cutOff === 'study') return 'cut off';
  if (worst === undefined) return isPartial ? '' : 'none';
  const end = worst.end === 'accepted' ? '' : ` (${worst.end} limit)`;
  return `${grouped(worst.cost)}${end}${isPartial ? ' or more' : ''}`;
}

/**
 * Returns a text with a rule's time on a server. The time is measured with the Go libraries of Kubernetes, or predicted if there is no
 * measurement. Returns an empty text if neither is known.
 */
function onServer({ times, serverTime }: PlacedFindings): string {
  const inGo = times.find(({ engine }) => engine === 'Kubernetes in Go');
  if (inGo !== undefined) return timeText(inGo.ms);
  return serverTime?.kind === 'predicted' ? `≈ ${timeText(serverTime.ms)}` : '';
}

/**
 * Returns the field with which the cost grows fastest, or several fields whose sizes multiply: `spec.a × spec.b`. The text also says if the
 * study of the rule is not finished.
 */
function growsWithText(rule: PlacedFindings): string {
  const fields = growingFields(rule).map(({ field, unit }) => `${field}${unit === 'items' ? '' : ` (${unit})`}`);
  return withUnfinishedNote(fields.join(' × '), rule);
}

/** Returns sections of text about estimates that are too low, slow cost units, regressions, and rules that were not studied. */
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
        .map((rule) => about(rule, `${ratioText(rule.estimateOverWorst ?? 1)} the highest cost found`)),
    ),
    ...section(
      `A cost unit of these takes more than ${SLOW_UNIT} times the median over functions`,
      rules.flatMap((rule) => {
        const time = rule.times.find(({ engine, timesMedian = 0 }) => engine === 'Assay compiled' && timesMedian > SLOW_UNIT);
        return time?.nsPerUnit === undefined
          ? []
          : [about(rule, `${time.nsPerUnit.toFixed(1)} ns, ${ratioText(time.timesMedian ?? 0)} (${time.engine})`)];
      }),
    ),
    ...section(
      'Times that other work of the machine disturbed: they are too long, so no growth of time is reported',
      rules.flatMap((rule) =>
        rule.disturbed === undefined ? [] : [about(rule, `without a core for ${(100 * rule.disturbed).toFixed(0)} % of the time`)],
      ),
    ),
    ...section(
      'No write was found that a server accepts and that evaluates these',
      rules
        .filter(({ worst, isPartial, notStudied: why }) => worst === undefined && !isPartial && why === undefined)
        .map((rule) => about(rule, rule.obstacle ?? 'no reason is known')),
    ),
    ...section(
      'These bounds would bring an estimate under its limit',
      rules.flatMap((rule) =>
        rule.suggestedBounds.length === 0
          ? []
          : [
              about(
                rule,
                `${rule.suggestedBounds.map(({ field, keyword, suggested }) => `${keyword} ${grouped(suggested)} at ${field}`).join(', ')}${costAtSuggestedText(rule)}`,
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

const costAtSuggestedText = ({ costAtSuggested }: PlacedFindings): string =>
  costAtSuggested === undefined ? '' : `; the most expensive evaluation found then costs ${grouped(costAtSuggested)} units`;

function comparisonLine(rule: PlacedFindings): readonly string[] {
  const { base, cutOff } = rule;
  if (cutOff !== undefined && isTouched(rule))
    return [`${rule.change}, cut off: ${cutOff === 'study' ? 'not studied' : 'not compared'} in time`];
  if (base === undefined) return [];
  const time = base.kind === 'compared' && base.time !== undefined && CHANGES.has(base.time.verdict) ? timeChangeText(base) : undefined;
  const isEqual = base.kind === 'compared' && base.cost.verdict === 'equal';
  if (isEqual && time === undefined) return [];
  return [`${isEqual ? 'cost equal' : costChangeText(base)}${time === undefined ? '' : `; ${time}`}`];
}

const CHANGES: ReadonlySet<string> = new Set(['slower', 'faster']);

function gateLines(failed: readonly FailedGate[]): readonly string[] {
  if (failed.length === 0) return [];
  const more = failed.length - SHOWN_RULES;
  return [
    '',
    'Failed:',
    ...failed.slice(0, SHOWN_RULES).map((one) => shownInLine(`  ${failedGateText(one)}`)),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ];
}

/** Returns a failed gate with the place of its rule. */
export const failedGateText = ({ source, version, path, text }: FailedGate): string =>
  `${[source, version, path].filter((part) => part !== undefined).join(' ')}: ${text}`;
