import { median, percentile } from '#benchmark';
import { countedText, countText, timeText } from '#charts';
import type { Chart } from '#charts';
import { tokenize } from '#cel';
import type { Table } from '../result/summary.ts';
import type { RealRule } from './study-corpora.ts';

/** A table of the published study. */
type StudyTable = Omit<Table, 'notes'>;

/** The results of the published study: charts, and tables below them. */
export interface RealRulesFindings {
  readonly sentences: readonly string[];
  readonly charts: readonly Chart[];
  readonly tables: readonly StudyTable[];
}

/** Rule for which certain figures are known. */
type Known<K extends keyof RealRule> = RealRule & { readonly [Key in K]-?: NonNullable<RealRule[Key]> };

/** Returns the rules for which a figure is known. */
const known = <K extends keyof RealRule, R extends RealRule>(rules: readonly R[], figure: K): (R & Known<K>)[] =>
  rules.filter((rule): rule is R & Known<K> => rule[figure] !== undefined);

/** Exponent above which a rule counts as growing worse than linearly. Exponents are accurate to 0.05. */
const WORSE = 1.05;
/** Assumed time of a cost unit in ns. At this time per unit, 1,000,000 units, the limit of a call, take a tenth of a second. */
const ASSUMED_NS = 100;
/**
 * Highest number of rules in a table (`SHOWN`). Lowest number of rules that must call a function before the table of functions lists it
 * (`LEAST_RULES`).
 */
const [SHOWN, LEAST_RULES] = [25, 5];
const TEXT_WIDTH = 110;

/**
 * Returns the findings of the study of real rules: growth, estimates compared with the highest costs found, and times compared with costs.
 */
export function realRulesFindings(rules: readonly RealRule[]): RealRulesFindings {
  const studied = rules.filter(({ notStudied }) => notStudied === undefined);
  const dear = known(studied, 'dearest');
  const growing = known(studied, 'growth');
  const worse = growing.filter(({ growth }) => growth.exponent > WORSE).toSorted((a, b) => b.growth.exponent - a.growth.exponent);
  const exceeded = dear.filter((rule) => ratioOf(rule) < 1).toSorted((a, b) => ratioOf(a) - ratioOf(b));
  const ratios = dear.map(ratioOf).filter(Number.isFinite);
  const ended = dear.filter(({ dearest }) => dearest.end !== 'accepted');
  const timed = known(dear, 'time').toSorted((a, b) => b.time.timesMedian - a.time.timesMedian);
  const slow = timed.filter(({ time }) => time.nsPerUnit > ASSUMED_NS);
  const share = (part: number, of: number): string => `${countText(part)} (${((100 * part) / Math.max(1, of)).toFixed(1)} %)`;
  return {
    sentences: [
      `Of ${countedText(rules.length, 'distinct rule')}, ${share(studied.length, rules.length)} were studied. For ${share(dear.length, rules.length)}, the search found an object that a server accepts or whose evaluation a cost limit ends.`,
      `The cost of ${share(growing.length, studied.length)} of the rules grows with the size of a list, a map or a text. The cost of ${share(worse.length, studied.length)} grows faster than linearly.`,
      `For ${share(ended.length, dear.length)} of the rules, an object of at most 3 MiB that the schema allows exceeds a cost limit.`,
      `At the median, the estimate is ${countText(Math.round(median(ratios) ?? 0))} times the highest cost found. At the 90th percentile, it is ${countText(Math.round(percentile(ratios, 90) ?? 0))} times that cost.`,
      `${share(exceeded.length, dear.length)} of the rules cost more than their estimate. So an estimate is not an upper bound.`,
      `The limits of KEP-2876 assume at most ${ASSUMED_NS} ns for a cost unit. In ${share(slow.length, timed.length)} of the rules whose time was measured, Assay needs more time for a unit. Evaluations of fewer than 500 units were not measured.`,
    ],
    charts: [estimateChart(dear, exceeded), ...(timed.length === 0 ? [] : [timeChart(timed)])],
    tables: [
      countTable(
        'How the cost of rules grows',
        'cost grows with size n as',
        studied.map(({ growth }) => (growth === undefined ? 'no growth' : (growth.near ?? `between: n^${growth.exponent.toFixed(1)}`))),
      ),
      ruleTable('Rules that grow worse than linearly', worse, {
        growth: ({ growth }) => growth.near ?? `n^${growth.exponent.toFixed(2)}`,
        'with the size of': ({ growth }) => `\`${growth.field}\` (${growth.unit})`,
      }),
      ruleTable('Rules that cost more than their estimate', exceeded, {
        'estimate, units': ({ estimate }) => countText(estimate),
        'highest cost found, units': ({ dearest }) => countText(dearest.cost),
      }),
      ruleTable('Rules whose cost units take longest', timed, {
        'time of a cost unit': ({ time }) => timeText(time.nsPerUnit / 1e6),
        '÷ median': ({ time }) => time.timesMedian.toFixed(1),
      }),
      functionTable(timed),
      countTable(
        'Rules that were not studied',
        'reason',
        known(rules, 'notStudied').map(({ notStudied }) => notStudied.slice(0, TEXT_WIDTH)),
      ),
    ],
  };
}

/** Returns the estimate divided by the highest cost found; infinite if there is no estimate or the cost is 0. */
const ratioOf = ({ estimate, dearest }: Known<'dearest'>): number =>
  estimate === undefined || dearest.cost === 0 ? Infinity : estimate / dearest.cost;

const shown = (rule: string): string => {
  const line = rule.trim().replace(/\s+/g, ' ').replaceAll('`', "'");
  return `\`${line.length > TEXT_WIDTH ? `${line.slice(0, TEXT_WIDTH - 1)}…` : line}\``;
};

/** Returns a table of rules. `columns` maps the names of additional columns to functions that return their values. */
function ruleTable<R extends RealRule>(
  title: string,
  rules: readonly R[],
  columns: Readonly<Record<string, (rule: R) => string>>,
): StudyTable {
  return {
    title: `${title}${rules.length > SHOWN ? ` (${SHOWN} of ${countText(rules.length)})` : ''}`,
    columns: ['definition', 'rule', ...Object.keys(columns)],
    rows: rules.slice(0, SHOWN).map((rule) => [rule.definition, shown(rule.rule), ...Object.values(columns).map((cell) => cell(rule))]),
  };
}

/** Returns a table with the number of rules for each word, the most frequent word first. */
function countTable(title: string, column: string, words: readonly string[]): StudyTable {
  const counts = [...Map.groupBy(words, (word) => word)].toSorted((a, b) => b[1].length - a[1].length);
  return { title, columns: [column, 'rules'], rows: counts.slice(0, SHOWN).map(([word, all]) => [word, countText(all.length)]) };
}

/**
 * Returns a table with the median time of a cost unit over the rules that call each function. A rule counts for every function that it
 * calls.
 */
function functionTable(timed: readonly Known<'time'>[]): StudyTable {
  const calls = timed.flatMap(({ rule, time }) => [...calledIn(rule)].map((name) => ({ name, figure: time.timesMedian })));
  const rows = Array.from(
    Map.groupBy(calls, ({ name }) => name),
    ([name, all]) => ({
      name,
      rules: all.length,
      middle: median(all.map(({ figure }) => figure)) ?? 0,
    }),
  );
  return {
    title: 'Functions by the time of a unit in the rules that call them',
    columns: ['function', 'rules that call it', 'time of a unit ÷ median (median over these rules)'],
    rows: rows
      .filter((row) => row.rules >= LEAST_RULES)
      .toSorted((a, b) => b.middle - a.middle)
      .map(({ name, rules, middle }) => [`\`${name}\``, countText(rules), middle.toFixed(2)]),
  };
}

/** Returns the names of the functions that a rule calls: all identifiers before an opening parenthesis. */
function calledIn(rule: string): ReadonlySet<string> {
  const tokens = tokenize(rule) ?? [];
  return new Set(tokens.flatMap(({ kind, text }, i) => (kind === 'IDENTIFIER' && tokens[i + 1]?.text === '(' ? [text] : [])));
}

/** Returns a scatter chart with a point for each rule. The first five rules in `named` are labelled. */
function ruleCloud<R extends RealRule>(
  { points, named }: { readonly points: readonly R[]; readonly named: readonly R[] },
  pointOf: (rule: R) => readonly [x: number, y: number],
): Pick<Extract<Chart, { readonly kind: 'cloud' }>, 'kind' | 'groups' | 'outliers'> {
  return {
    kind: 'cloud',
    groups: [{ name: 'rules of real definitions', role: 'assay', points: points.map((rule) => [...pointOf(rule)]) }],
    outliers: named.slice(0, 5).map((rule) => {
      const [x, y] = pointOf(rule);
      return { x: Math.max(1, x), y, name: `${rule.definition}: ${rule.rule.slice(0, 60)}` };
    }),
  };
}

function estimateChart(dear: readonly Known<'dearest'>[], exceeded: readonly Known<'dearest'>[]): Chart {
  const points = known(dear, 'estimate').filter(({ estimate, dearest }) => estimate !== 0 && dearest.cost !== 0);
  return {
    ...ruleCloud({ points, named: known(exceeded, 'estimate') }, ({ estimate, dearest }) => [estimate, dearest.cost]),
    id: 'estimates',
    title: `Estimates of real rules lie far above the dearest costs found, and ${countText(exceeded.length)} below`,
    subtitle:
      'Each point is a rule of a real definition. It shows the estimate of the rule for an object, and the cost for the most expensive object that was found.',
    x: { label: 'estimate for an object', unit: 'units' },
    y: { label: 'highest cost found', unit: 'units' },
    diagonals: [1, 0.1, 0.001].map((factor) => ({ factor, label: factor === 1 ? 'equal' : `1 of ${1 / factor}` })),
    verticals: [{ x: 10_000_000, label: 'limit of estimates' }],
    reading:
      'Rules above the first diagonal cost more than their estimate. For rules below the other diagonals, there may be more expensive objects that were not found.',
    notShown: 'rules for which no object was found that a server accepts or whose evaluation a cost limit ends.',
  };
}

function timeChart(timed: readonly Known<'time'>[]): Chart {
  const middle = median(timed.map(({ time }) => time.nsPerUnit)) ?? 1;
  return {
    ...ruleCloud({ points: timed, named: timed }, ({ time }) => [(1e6 * time.ms) / time.nsPerUnit, time.ms]),
    id: 'times',
    title: `A cost unit of real rules takes ${timeText(middle / 1e6)} at the median`,
    subtitle:
      'Each point is a rule of a real definition. It shows the cost and the time of one evaluation by Assay (compiled to JavaScript) for the most expensive object that was found.',
    x: { label: 'cost of one evaluation', unit: 'units' },
    y: { label: 'time of one evaluation', unit: 'ms' },
    diagonals: [1, 4].map((times) => ({ factor: (times * middle) / 1e6, label: times === 1 ? 'median' : `${times} × median` })),
    reading:
      'Rules above the upper diagonal take more than four times as long as the median rule of the same cost. The times are those of Assay on one machine, and not of an API server.',
    notShown: 'evaluations of fewer than 500 units, because the call itself takes most of their time.',
  };
}
