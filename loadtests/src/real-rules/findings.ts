import { median, percentile } from '#benchmark';
import { countedText, countText, timeText } from '#charts';
import type { Chart } from '#charts';
import { tokenize } from '#cel';
import type { RealRule } from './study-corpora.ts';

/** A table of the published study. */
export interface StudyTable {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** The results of the published study: charts, and tables below them. */
export interface RealRulesFindings {
  readonly sentences: readonly string[];
  readonly charts: readonly Chart[];
  readonly tables: readonly StudyTable[];
}

/** A rule grows worse than linearly from this exponent on: exponents are told to 0.05. */
const WORSE = 1.05;
/** Rules named in a table, and functions with fewer rules than the second are left out. */
const [SHOWN, LEAST_RULES] = [25, 5];
const TEXT_WIDTH = 110;

/** Returns what a study of real rules found: growth, estimates beside dearest costs, and times beside costs. */
export function realRulesFindings(rules: readonly RealRule[]): RealRulesFindings {
  const studied = rules.filter(({ notStudied }) => notStudied === undefined);
  const dear = studied.filter(({ dearest }) => dearest !== undefined);
  const growing = studied.filter(({ growth }) => growth !== undefined);
  const worse = growing
    .filter(({ growth }) => (growth?.exponent ?? 0) > WORSE)
    .toSorted((a, b) => (b.growth?.exponent ?? 0) - (a.growth?.exponent ?? 0));
  const exceeded = dear.filter((rule) => ratioOf(rule) < 1).toSorted((a, b) => ratioOf(a) - ratioOf(b));
  const ratios = dear.map(ratioOf).filter(Number.isFinite);
  const ended = dear.filter(({ dearest }) => dearest?.end !== 'accepted');
  const timed = dear.filter(({ time }) => time !== undefined).toSorted((a, b) => (b.time?.timesMedian ?? 0) - (a.time?.timesMedian ?? 0));
  const share = (part: number, of: number): string => `${countText(part)} (${((100 * part) / Math.max(1, of)).toFixed(1)} %)`;
  return {
    sentences: [
      `Of ${countedText(rules.length, 'distinct rule')}, ${share(studied.length, rules.length)} were studied. For ${share(dear.length, rules.length)}, a write was found that a server accepts or a limit ends.`,
      `The cost of ${share(growing.length, studied.length)} grows with a list, a map or a text; that of ${share(worse.length, studied.length)} grows worse than linearly.`,
      `A limit ends ${share(ended.length, dear.length)} of the rules within a request of 3 MiB and the schema's bounds.`,
      `The estimate is ${countText(Math.round(median(ratios) ?? 0))} times the dearest cost found at the median, and ${countText(Math.round(percentile(ratios, 90) ?? 0))} times at the 90th percentile.`,
      `${share(exceeded.length, dear.length)} cost more than their estimate. An estimate therefore is no bound.`,
    ],
    charts: [estimateChart(dear, exceeded), ...(timed.length === 0 ? [] : [timeChart(timed)])],
    tables: [
      growthTable(studied),
      ruleTable('Rules that grow worse than linearly', worse, ['growth', 'with'], ({ growth }) => [
        growth === undefined ? '' : (growth.near ?? `n^${growth.exponent.toFixed(2)}`),
        growth === undefined ? '' : `\`${growth.field}\` (${growth.unit})`,
      ]),
      ruleTable('Rules that cost more than their estimate', exceeded, ['estimate', 'found'], ({ estimate, dearest }) => [
        countText(estimate),
        countText(dearest?.cost),
      ]),
      ruleTable('Rules whose cost units take longest', timed, ['a unit', '÷ median'], ({ time }) => [
        timeText((time?.nsPerUnit ?? 0) / 1e6),
        (time?.timesMedian ?? 0).toFixed(1),
      ]),
      functionTable(timed),
      reasonTable(rules),
    ],
  };
}

const ratioOf = ({ estimate, dearest }: RealRule): number =>
  estimate === undefined || dearest === undefined || dearest.cost === 0 ? Infinity : estimate / dearest.cost;

const shown = (rule: string): string => {
  const line = rule.trim().replace(/\s+/g, ' ').replaceAll('`', "'");
  return `\`${line.length > TEXT_WIDTH ? `${line.slice(0, TEXT_WIDTH - 1)}…` : line}\``;
};

function ruleTable(
  title: string,
  rules: readonly RealRule[],
  columns: readonly string[],
  cells: (rule: RealRule) => readonly string[],
): StudyTable {
  return {
    title: `${title}${rules.length > SHOWN ? ` (${SHOWN} of ${countText(rules.length)})` : ''}`,
    columns: ['definition', 'rule', ...columns],
    rows: rules.slice(0, SHOWN).map((rule) => [rule.definition, shown(rule.rule), ...cells(rule)]),
  };
}

function growthTable(studied: readonly RealRule[]): StudyTable {
  const classes = Map.groupBy(studied, ({ growth }) =>
    growth === undefined ? 'nothing' : (growth.near ?? `between: n^${growth.exponent.toFixed(1)}`),
  );
  const rows = [...classes].toSorted((a, b) => b[1].length - a[1].length);
  return {
    title: 'How the cost of rules grows',
    columns: ['steepest growth', 'rules'],
    rows: rows.map(([name, some]) => [name, countText(some.length)]),
  };
}

/** Returns the median price of units over the rules that call each function. A rule counts for each function that it calls. */
function functionTable(timed: readonly RealRule[]): StudyTable {
  const byFunction = new Map<string, number[]>();
  for (const { rule, time } of timed)
    for (const name of calledIn(rule)) byFunction.set(name, [...(byFunction.get(name) ?? []), time?.timesMedian ?? 0]);
  const rows = [...byFunction]
    .filter(([, figures]) => figures.length >= LEAST_RULES)
    .map(([name, figures]) => ({ name, figures, middle: median(figures) ?? 0 }))
    .toSorted((a, b) => b.middle - a.middle);
  return {
    title: 'Functions by the time of a unit in the rules that call them',
    columns: ['function', 'rules', 'a unit ÷ median (median of the rules)'],
    rows: rows.map(({ name, figures, middle }) => [`\`${name}\``, countText(figures.length), middle.toFixed(2)]),
  };
}

/** Returns the names before a parenthesis. */
function calledIn(rule: string): ReadonlySet<string> {
  const tokens = tokenize(rule) ?? [];
  return new Set(tokens.flatMap(({ kind, text }, i) => (kind === 'IDENTIFIER' && tokens[i + 1]?.text === '(' ? [text] : [])));
}

function reasonTable(rules: readonly RealRule[]): StudyTable {
  const reasons = Map.groupBy(
    rules.flatMap(({ notStudied }) => notStudied?.slice(0, TEXT_WIDTH) ?? []),
    (reason) => reason,
  );
  return {
    title: 'Rules that were not studied',
    columns: ['reason', 'rules'],
    rows: [...reasons]
      .toSorted((a, b) => b[1].length - a[1].length)
      .slice(0, SHOWN)
      .map(([reason, all]) => [reason, countText(all.length)]),
  };
}

function estimateChart(dear: readonly RealRule[], exceeded: readonly RealRule[]): Chart {
  const points = dear.flatMap(({ estimate, dearest }): [number, number][] =>
    estimate === undefined || estimate === 0 || dearest === undefined || dearest.cost === 0 ? [] : [[estimate, dearest.cost]],
  );
  return {
    kind: 'cloud',
    id: 'estimates',
    title: `Estimates of real rules lie far above the dearest costs found, and ${countText(exceeded.length)} below`,
    subtitle: 'Each point is a rule of a real definition: its estimate for an object, and the cost of the dearest write that was found.',
    x: { label: 'estimate for an object', unit: 'units' },
    y: { label: 'dearest cost found', unit: 'units' },
    groups: [{ name: 'rules of real definitions', role: 'assay', points }],
    outliers: exceeded.slice(0, 5).map(({ estimate = 1, dearest, definition, rule }) => ({
      x: Math.max(1, estimate),
      y: dearest?.cost ?? 1,
      name: `${definition}: ${rule.slice(0, 60)}`,
    })),
    diagonals: [1, 0.1, 0.001].map((factor) => ({ factor, label: factor === 1 ? 'equal' : `1 of ${1 / factor}` })),
    verticals: [{ x: 10_000_000, label: 'limit of estimates' }],
    reading:
      'Points above the first diagonal cost more than their estimate. Points below the others may have dearer writes that were not found.',
    notShown: 'rules without a write that a server accepts or a limit ends.',
  };
}

function timeChart(timed: readonly RealRule[]): Chart {
  const middle = median(timed.map(({ time }) => time?.nsPerUnit ?? 0)) ?? 1;
  return {
    kind: 'cloud',
    id: 'times',
    title: `A cost unit of real rules takes ${timeText(middle / 1e6)} at the median`,
    subtitle: 'Each point is a rule of a real definition in the dearest write that was found, evaluated once by Assay, compiled.',
    x: { label: 'cost of one evaluation', unit: 'units' },
    y: { label: 'time of one evaluation', unit: 'ms' },
    groups: [
      {
        name: 'rules of real definitions',
        role: 'assay',
        points: timed.flatMap(({ time }): [number, number][] => (time === undefined ? [] : [[(1e6 * time.ms) / time.nsPerUnit, time.ms]])),
      },
    ],
    outliers: timed
      .slice(0, 5)
      .flatMap(({ time, definition, rule }) =>
        time === undefined ? [] : [{ x: (1e6 * time.ms) / time.nsPerUnit, y: time.ms, name: `${definition}: ${rule.slice(0, 60)}` }],
      ),
    diagonals: [1, 4].map((times) => ({ factor: (times * middle) / 1e6, label: times === 1 ? 'median' : `${times} × median` })),
    reading: 'Rules above the upper diagonal take more than they cost. Times are those of one machine, and not of an API server.',
    notShown: 'evaluations of fewer than 500 units: the call itself takes most of their time.',
  };
}
