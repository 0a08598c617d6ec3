import { chartFigure, drawableCharts, markup, pageFrame } from '#report/charts';
import type { Chart, ChartOf } from '#report/charts';
import { pagePolicy, shownInLine } from '#report';
import { countedText, timesText, timeText } from '#numbers';
import { packageVersion } from '#telemetry';
import { earlyEndNote, factList, ruleLabel, STYLE, textTable } from '../page-parts.ts';
import { addedText, RULE_HEADINGS, ruleCostFacts, ruleRow } from './report.ts';
import type { RuleCost, RuleCostReport } from './report.ts';

const [MEASURED, PREDICTED] = ['added on the server, at p50', 'predicted Go time'] as const;

/** Returns the report on the costs of rules as one HTML page without scripts or requests: a plot, a table and what else was found. */
export function ruleCostPage(report: RuleCostReport): string {
  const { cluster, version, definition, rules, stopped, isInterrupted } = report;
  const title = shownInLine(`What the rules of ${definition} add to a write`);
  const early = stopped ?? (isInterrupted ? 'the user interrupted it' : undefined);
  return pageFrame({
    title,
    style: STYLE,
    meta: markup`<meta http-equiv="Content-Security-Policy" content="${pagePolicy(STYLE)}">`,
    skip: ['rules', 'the rules'],
    above: shownInLine(`Assay · costs of rules on ${cluster} · ${version}`),
    headline: title,
    lead: markup`<p class="lead">Dry runs with and without each rule on an API server, beside the exact cost of the rule and the predicted time of its Go library.</p>
${earlyEndNote('The measurement', early)}`,
    main: markup`<section id="rules" aria-labelledby="rules-heading"><h2 id="rules-heading">${countedText(rules.length, 'rule')}</h2>
${ruleCostCharts(report).map((chart) => chartFigure(chart, { prefix: 'load', widths: ['wide', 'narrow'] }))}
${rules.length === 0 ? '' : textTable(['number', ...RULE_HEADINGS], rules.map(numberedRow))}</section>
<section aria-labelledby="facts-heading"><h2 id="facts-heading">About the measurement</h2>
${factList(ruleCostFacts(report))}</section>`,
    footer: `Costs are exact CEL cost units. Predictions are CPU times of the rules alone. Assay ${packageVersion()} measured.`,
  });
}

const numberedRow = (rule: RuleCost, i: number): string[] => [String(i + 1), ...ruleRow(rule)];

/** Returns a chart with the measured and the predicted time of each rule. The list is empty if no rule has any of them. */
export function ruleCostCharts({ rules, definition }: RuleCostReport): readonly Chart[] {
  const rows = rules.map(({ path, added, predicted }, i): ChartOf<'dots'>['rows'][number] => ({
    // A no-break space keeps the number beside the name.
    name: `${i + 1}\u00a0${ruleLabel(path, 32)}`,
    values: [
      ...(added.verdict === 'adds'
        ? [{ series: MEASURED, role: 'assay' as const, value: added.p50.ms, lo: added.p50.lo, hi: added.p50.hi }]
        : []),
      ...(predicted === undefined ? [] : [{ series: PREDICTED, role: 'shipped' as const, value: predicted.ms }]),
    ],
  }));
  return drawableCharts([
    {
      kind: 'dots',
      id: 'added',
      title: titleOf(rules),
      subtitle: `Rules of ${shownInLine(definition)}, each with the most expensive create that was found for it`,
      reading: shownInLine(['A bar is the 95 % interval of the time that a rule adds.', ...rules.flatMap(withoutDot)].join(' ')),
      notShown:
        'Times at p99 and exact costs, which the table has. A prediction is CPU time of one machine, and the server may be faster or slower.',
      x: { label: 'time of the rule in one write', unit: 'ms' },
      rows,
    },
  ]);
}

/** Returns the main finding: the rule that adds the most time, or that no rule adds a decided time. */
function titleOf(rules: readonly RuleCost[]): string {
  const adding = rules.flatMap((rule) => (rule.added.verdict === 'adds' ? [{ rule, ms: rule.added.p50.ms }] : []));
  const [most] = adding.toSorted((a, b) => b.ms - a.ms);
  if (most === undefined)
    return rules.every(({ added }) => added.verdict === 'noDifference')
      ? 'No difference is found for any rule'
      : 'For no rule, the measurement decides how much time it adds';
  const { path, measuredOverPredicted: ratio } = most.rule;
  const beside = ratio === undefined ? '' : `, ${timesText(ratio)} its predicted time`;
  return `\`${ruleLabel(path, 100)}\` adds ${timeText(most.ms)} to its most expensive create${beside}`;
}

/** Returns a sentence about a rule that has no measured dot, or no predicted one. */
function withoutDot({ added, predicted, problem }: RuleCost, i: number): string[] {
  const number = `Rule ${i + 1}`;
  const why = problem === undefined ? addedText(added) : `not measured: ${problem}`;
  return [
    ...(added.verdict === 'adds' ? [] : [`${number} has no measured dot: ${why}.`]),
    ...(predicted === undefined ? [`${number} has no prediction.`] : []),
  ];
}
