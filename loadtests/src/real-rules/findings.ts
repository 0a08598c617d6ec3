import { median, percentile } from '#benchmark';
import { countedText, countText, timeText } from '#numbers';
import type { Chart } from '#report/charts';
import { tokenize } from '#cel';
import type { Table } from '../result/summary.ts';
import type { RealRule } from './study-corpora.ts';

/** Table of the published study of real rules. */
type StudyTable = Omit<Table, 'notes'>;

/** Results of the published study of real rules: charts, and tables below them. */
export interface RealRulesFindings {
  readonly sentences: readonly string[];
  readonly charts: readonly Chart[];
  readonly tables: readonly StudyTable[];
}

/** Rule for which the figures that `K` names are known, which means not undefined. */
type Known<K extends keyof RealRule> = RealRule & { readonly [Key in K]-?: NonNullable<RealRule[Key]> };

const known = <K extends keyof RealRule, R extends RealRule>(rules: readonly R[], figure: K): (R & Known<K>)[] =>
  rules.filter((rule): rule is R & Known<K> => rule[figure] !== undefined);

/** Exponent above which a rule counts as growing worse than linearly. Exponents are accurate to 0.05. */
const WORSE = 1.05;
/** Assumed time of a cost unit in ns. With this time, a call that reaches the limit of 1,000,000 units takes a tenth of a second. */
const ASSUMED_NS = 100;
/**
 * Highest number of rules in a table (`SHOWN`). Lowest number of rules that must call a function before the table of functions lists it
 * (`MIN_RULES`).
 */
const [SHOWN, MIN_RULES] = [25, 5];
const TEXT_WIDTH = 110;

/**
 * Returns the findings of the study of real rules. The findings show how costs grow, how estimates compare with the highest costs found,
 * and how times compare with costs.
 */
export function realRulesFindings(rules: readonly RealRule[]): RealRulesFindings {
  const studied = rules.filter(({ notStudied }) => notStudied === undefined);
  const dear = known(studied, 'costliest');
  const growing = known(studied, 'growth');
  const worse = growing.filter(({ growth }) => growth.exponent > WORSE).toSorted((a, b) => b.growth.exponent - a.growth.exponent);
  const exceeded = dear.filter((rule) => ratioOf(rule) < 1).toSorted((a, b) => ratioOf(a) - ratioOf(b));
  const ratios = dear.map(ratioOf).filter(Number.isFinite);
  const refused = known(studied, 'refused').toSorted((a, b) => a.refused.size - b.refused.size);
  const ended = dear.filter(({ costliest }) => costliest.end !== 'accepted');
  const timed = known(dear, 'time').toSorted((a, b) => b.time.timesMedian - a.time.timesMedian);
  const slow = timed.filter(({ time }) => time.nsPerUnit > ASSUMED_NS);
  const share = (part: number, of: number): string => `${countText(part)} (${((100 * part) / Math.max(1, of)).toFixed(1)} %)`;
  return {
    sentences: [
      `Of ${countedText(rules.length, 'distinct rule')}, the study covers ${share(studied.length, rules.length)}. For ${share(dear.length, rules.length)} of the rules, the study found objects that a server accepts, or refuses only because of a cost limit. It keeps the most expensive of these objects.`,
      `The cost of ${share(growing.length, studied.length)} of the rules grows with the size of a list, a map or a text. The cost of ${share(worse.length, studied.length)} of the rules grows faster than linearly: twice the size costs more than twice as much.`,
      `For ${share(ended.length, dear.length)} of the rules, an object of at most 3 MiB that the schema allows exceeds a cost limit. A server refuses such an object.`,
      `The *estimate* is the cost of a rule in the worst case that the schema allows. For half of the rules, the estimate is at most ${countText(Math.round(median(ratios) ?? 0))} times the highest cost found. For one tenth of the rules, the estimate is more than ${countText(Math.round(percentile(ratios, 90) ?? 0))} times this cost.`,
      `For ${share(exceeded.length, dear.length)} of the rules, the study found an object that costs more than the estimate. So an estimate is not an upper bound of the cost.`,
      `The cost limits of KEP-2876 (the Kubernetes enhancement that introduced CEL rules) assume at most ${ASSUMED_NS} ns for a cost unit. The study measured times only of rules whose evaluation costs at least 500 units. In ${share(slow.length, timed.length)} of these rules, Assay needs more than ${ASSUMED_NS} ns for a unit.`,
    ],
    charts: [estimateChart(dear, exceeded), ...(timed.length === 0 ? [] : [timeChart(timed)])],
    tables: [
      countTable(
        'How the cost of rules grows',
        'growth of the cost with the size n',
        studied.map(({ growth }) => (growth === undefined ? 'no growth' : (growth.near ?? `n^${growth.exponent.toFixed(1)}`))),
      ),
      ruleTable('Rules whose cost grows faster than linearly', worse, {
        'growth of the cost with the size n': ({ growth }) => growth.near ?? `n^${growth.exponent.toFixed(2)}`,
        'field whose size is n, and what is counted': ({ growth }) => `\`${growth.field}\` (${growth.unit})`,
      }),
      ruleTable('Rules that a server refuses at the smallest sizes', refused, {
        'smallest size at which a server refuses a write that the schema accepts': ({ refused: { size, unit } }) =>
          `${countText(size)} ${unit}`,
        'field with this size. All other sizes are as large as possible': ({ refused: { field } }) => `\`${field}\``,
      }),
      ruleTable('Rules that cost more than their estimate', exceeded, {
        'estimate of the cost, in cost units': ({ estimate }) => countText(estimate),
        'highest cost that the study found, in cost units': ({ costliest }) => countText(costliest.cost),
      }),
      ruleTable('Rules that take most time for a cost unit', timed, {
        'time that Assay needs for one cost unit of the rule': ({ time }) => timeText(time.nsPerUnit / 1e6),
        'this time ÷ median time of a cost unit of common functions': ({ time }) => time.timesMedian.toFixed(1),
      }),
      functionTable(timed),
      countTable(
        'Rules that were not studied',
        'reason why the rules were not studied',
        known(rules, 'notStudied').map(({ notStudied }) => notStudied.slice(0, TEXT_WIDTH)),
      ),
    ],
  };
}

/** Returns the estimate divided by the highest cost found; infinite if there is no estimate or the cost is 0. */
const ratioOf = ({ estimate, costliest }: Known<'costliest'>): number =>
  estimate === undefined || costliest.cost === 0 ? Infinity : estimate / costliest.cost;

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

/**
 * Returns a table with the number of rules for each word, the most frequent word first. `words` contains one word or text for each rule.
 * The table has at most {@link SHOWN} rows.
 */
function countTable(title: string, column: string, words: readonly string[]): StudyTable {
  const counts = [...Map.groupBy(words, (word) => word)].toSorted((a, b) => b[1].length - a[1].length);
  return { title, columns: [column, 'number of rules'], rows: counts.slice(0, SHOWN).map(([word, all]) => [word, countText(all.length)]) };
}

/**
 * Returns a table of functions. For each function, it shows the median time of a cost unit over all rules that call this function. A rule
 * counts for every function that it calls.
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
    title: 'Functions by the time of a cost unit in the rules that call them',
    columns: [
      'function or macro',
      'number of rules that call the function',
      'time of a cost unit in these rules (median) ÷ median time of a cost unit of common functions',
    ],
    rows: rows
      .filter((row) => row.rules >= MIN_RULES)
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

function estimateChart(dear: readonly Known<'costliest'>[], exceeded: readonly Known<'costliest'>[]): Chart {
  const points = known(dear, 'estimate').filter(({ estimate, costliest }) => estimate !== 0 && costliest.cost !== 0);
  return {
    ...ruleCloud({ points, named: known(exceeded, 'estimate') }, ({ estimate, costliest }) => [estimate, costliest.cost]),
    id: 'estimates',
    title: `Estimates of real rules compared with the highest costs found: ${countText(exceeded.length)} estimates are too low`,
    subtitle:
      'Each point is a rule of a real definition. The point shows the estimate of the rule (x axis), and its cost for the most expensive object that was found (y axis).',
    x: { label: 'estimate for an object', unit: 'units' },
    y: { label: 'highest cost found', unit: 'units' },
    diagonals: [1, 0.1, 0.001].map((factor) => ({ factor, label: factor === 1 ? 'equal' : `1 of ${1 / factor}` })),
    verticals: [{ x: 10_000_000, label: 'limit of estimates' }],
    reading:
      'Rules above the diagonal “equal” cost more than their estimate. For rules below the diagonal “1 of 10”, the estimate is more than 10 times the highest cost found. Below “1 of 1000”, it is more than 1,000 times this cost. For all these rules, there may be more expensive objects that the study did not find.',
    notShown: 'rules for which the study found no object.',
  };
}

function timeChart(timed: readonly Known<'time'>[]): Chart {
  const middle = median(timed.map(({ time }) => time.nsPerUnit)) ?? 1;
  return {
    ...ruleCloud({ points: timed, named: timed }, ({ time }) => [(1e6 * time.ms) / time.nsPerUnit, time.ms]),
    id: 'times',
    title: `A cost unit of real rules takes ${timeText(middle / 1e6)} at the median`,
    subtitle:
      'Each point is a rule of a real definition. The point shows the cost (x axis) and the time in Assay (y axis) of one evaluation, for the most expensive object that was found. Assay compiled the rule to JavaScript.',
    x: { label: 'cost of one evaluation', unit: 'units' },
    y: { label: 'time of one evaluation', unit: 'ms' },
    diagonals: [1, 4].map((times) => ({ factor: (times * middle) / 1e6, label: times === 1 ? 'median' : `${times} × median` })),
    reading:
      'Rules above the upper diagonal take more than four times as long as the median of all rules for the same cost. The times are those of Assay on one machine. An API server needs other times.',
    notShown: 'evaluations that cost fewer than 500 units, because the call itself takes most of their time.',
  };
}
