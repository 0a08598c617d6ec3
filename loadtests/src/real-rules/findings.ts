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
/** Time of a cost unit in ns for which 1,000,000 units, the limit of a call, take a tenth of a second. */
const ASSUMED_NS = 100;
/** Highest number of rules in a table, and lowest number of rules for a function to be listed. */
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
      `Of ${countedText(rules.length, 'distinct rule')}, ${share(studied.length, rules.length)} were studied. For ${share(dear.length, rules.length)}, a write was found that a server accepts or a limit ends.`,
      `The cost of ${share(growing.length, studied.length)} grows with a list, a map or a text; that of ${share(worse.length, studied.length)} grows worse than linearly.`,
      `A limit ends ${share(ended.length, dear.length)} of the rules within a request of 3 MiB and the schema's bounds.`,
      `The estimate is ${countText(Math.round(median(ratios) ?? 0))} times the dearest cost found at the median, and ${countText(Math.round(percentile(ratios, 90) ?? 0))} times at the 90th percentile.`,
      `${share(exceeded.length, dear.length)} cost more than their estimate. An estimate therefore is no bound.`,
      `The limits of KEP-2876 assume at most ${ASSUMED_NS} ns a cost unit. In ${share(slow.length, timed.length)} of the rules that were timed, a unit takes Assay longer. Evaluations of fewer than 500 units were not timed.`,
    ],
    charts: [estimateChart(dear, exceeded), ...(timed.length === 0 ? [] : [timeChart(timed)])],
    tables: [
      countTable(
        'How the cost of rules grows',
        'steepest growth',
        studied.map(({ growth }) => (growth === undefined ? 'nothing' : (growth.near ?? `between: n^${growth.exponent.toFixed(1)}`))),
      ),
      ruleTable('Rules that grow worse than linearly', worse, {
        growth: ({ growth }) => growth.near ?? `n^${growth.exponent.toFixed(2)}`,
        with: ({ growth }) => `\`${growth.field}\` (${growth.unit})`,
      }),
      ruleTable('Rules that cost more than their estimate', exceeded, {
        estimate: ({ estimate }) => countText(estimate),
        found: ({ dearest }) => countText(dearest.cost),
      }),
      ruleTable('Rules whose cost units take longest', timed, {
        'a unit': ({ time }) => timeText(time.nsPerUnit / 1e6),
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
    columns: ['function', 'rules', 'a unit ÷ median (median of the rules)'],
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
    subtitle: 'Each point is a rule of a real definition: its estimate for an object, and the cost of the dearest write that was found.',
    x: { label: 'estimate for an object', unit: 'units' },
    y: { label: 'dearest cost found', unit: 'units' },
    diagonals: [1, 0.1, 0.001].map((factor) => ({ factor, label: factor === 1 ? 'equal' : `1 of ${1 / factor}` })),
    verticals: [{ x: 10_000_000, label: 'limit of estimates' }],
    reading:
      'Points above the first diagonal cost more than their estimate. Points below the others may have dearer writes that were not found.',
    notShown: 'rules without a write that a server accepts or a limit ends.',
  };
}

function timeChart(timed: readonly Known<'time'>[]): Chart {
  const middle = median(timed.map(({ time }) => time.nsPerUnit)) ?? 1;
  return {
    ...ruleCloud({ points: timed, named: timed }, ({ time }) => [(1e6 * time.ms) / time.nsPerUnit, time.ms]),
    id: 'times',
    title: `A cost unit of real rules takes ${timeText(middle / 1e6)} at the median`,
    subtitle: 'Each point is a rule of a real definition in the dearest write that was found, evaluated once by Assay, compiled.',
    x: { label: 'cost of one evaluation', unit: 'units' },
    y: { label: 'time of one evaluation', unit: 'ms' },
    diagonals: [1, 4].map((times) => ({ factor: (times * middle) / 1e6, label: times === 1 ? 'median' : `${times} × median` })),
    reading: 'Rules above the upper diagonal take more than they cost. Times are those of one machine, and not of an API server.',
    notShown: 'evaluations of fewer than 500 units: the call itself takes most of their time.',
  };
}
