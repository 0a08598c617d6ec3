import { times, countedText, timesText, timeText } from '#numbers';
import { shownInLine } from '#report';
import { chartFigure, markup, pageFrame, drawableCharts, measuredPoints } from '#report/charts';
import type { Chart, Markup, ChartOf } from '#report/charts';
import { packageVersion } from '#telemetry';
import { earlyEndNote, factList, STYLE, textTable, ruleLabel } from '../page-parts.ts';
import type { ClusterLoadReport, WriteRow } from './report.ts';
import { MIN_MS, ruleTimes } from './rule-times.ts';
import type { LadderGrowth, FamilyOff, RuleTime } from './rule-times.ts';
import { clusterLoadFacts, writesTable, growthText } from './text.ts';

/** Policy for a page without scripts. A chart of many points has inline styles. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'";

/** Returns the report on a load of writes as one HTML page without scripts or requests. Plots show measured times beside predicted times. */
export function clusterLoadPage(report: ClusterLoadReport): string {
  const { cluster, version, writes, growth, earlyEnd, isInterrupted } = report;
  const title = `Measured and predicted times of ${times(writes.length, 'create')}`;
  const { headings, rows, notes } = writesTable(report);
  const early = earlyEnd?.sentence ?? (isInterrupted ? 'the user interrupted it' : undefined);
  const more = growth.length - MAX_DRAWN_RULES;
  return pageFrame({
    title,
    style: STYLE,
    meta: markup`<meta http-equiv="Content-Security-Policy" content="${POLICY}">`,
    skip: ['writes', 'the table of writes'],
    above: shownInLine(`Assay · load of ${cluster} · ${version}`),
    headline: title,
    lead: markup`<p class="lead">Dry runs on an API server, beside the exact cost of their rules and the predicted time of its Go library.</p>
${earlyEndNote('The load', early)}`,
    main: markup`${section('predictions', 'Prediction and measurement', predictionCharts(report))}
${section('growth', 'Growth with the size', growthCharts(report))}
${more > 0 ? markup`<p class="not">${times(more, 'other rule')} measured. The facts at the end of the page name their growth.</p>` : ''}
<section id="writes" aria-labelledby="writes-heading"><h2 id="writes-heading">Writes</h2>
${growth.length === 0 ? '' : markup`<p class="sub">A row without a name is another size of the create above it.</p>`}
${textTable(headings, rows.map(namedOnce))}
${notes.map((note) => markup`<p class="not">${shownInLine(note)}</p>`)}</section>
<section aria-labelledby="facts-heading"><h2 id="facts-heading">About the load</h2>
${factList(clusterLoadFacts(report))}</section>`,
    footer: `Costs are exact CEL cost units. Predictions are CPU times of the rules alone. Assay ${packageVersion()} measured.`,
  });
}

/** Returns a row of a table, without its name if the row before has the same name. */
const namedOnce = ([name = '', ...cells]: readonly string[], i: number, rows: readonly (readonly string[])[]): readonly string[] => [
  name === rows[i - 1]?.[0] ? '' : name,
  ...cells,
];

const section = (id: string, heading: string, charts: readonly Chart[]): Markup =>
  charts.length === 0
    ? markup``
    : markup`<section id="${id}" aria-labelledby="${id}-heading"><h2 id="${id}-heading">${heading}</h2>
${charts.map((chart) => chartFigure(chart, { prefix: 'load', widths: ['wide', 'narrow'] }))}</section>`;

/** Maximum number of rules whose growth is drawn: those with the most expensive creates. */
const MAX_DRAWN_RULES = 12;
/** Maximum number of writes that are drawn with a number. */
const MAX_NAMED = 20;
const WHOLE_WRITE = 'A measured time contains everything that the server does for a write, such as reading the object.';

/** Returns the charts of how the time of a rule's writes grows with their size, beside the predicted time of the rules. */
function growthCharts({ growth, writes }: ClusterLoadReport): readonly Chart[] {
  return drawableCharts(growth.slice(0, MAX_DRAWN_RULES).map((one, i) => growthChart(one, rungsOf(one, writes), `growth-${i + 1}`)));
}

const rungsOf = ({ definition, version, path, rule }: LadderGrowth, writes: readonly WriteRow[]): readonly WriteRow[] =>
  writes.filter((row) => row.definition === definition && row.version === version && row.path === path && row.rule === rule);

function growthChart(growth: LadderGrowth, rungs: readonly WriteRow[], id: string): ChartOf<'scaling'> {
  const measured = rungs.map(({ size = 0, latencies: { median } }) => ({ x: size, y: median?.ms, lo: median?.lo, hi: median?.hi }));
  const predicted = rungs.map(({ size = 0, predicted: one }) => ({ x: size, y: one.kind === 'predicted' ? one.ms : undefined }));
  return {
    kind: 'scaling',
    id,
    title: growthTitle(growth),
    subtitle: `Creates for a rule of ${shownInLine(growth.definition)} ${growth.version} in ${countedText(rungs.length, 'size')}: measured and predicted time`,
    reading: growthReading(growth),
    notShown: `Times of the rules alone on the server. ${WHOLE_WRITE} Sizes with fewer than 5 expected answers have no measured point.`,
    x: { label: 'size of the largest field', unit: 'count' },
    y: { label: 'time', unit: 'ms' },
    series: [
      { name: 'measured: whole write', role: 'assay', points: measuredPoints(measured) },
      { name: 'predicted: rules alone', role: 'shipped', points: measuredPoints(predicted) },
    ],
    ...(measured.every(({ y = 0 }) => y < MIN_MS) && { horizontals: [{ y: MIN_MS, label: `no growth is told below ${MIN_MS} ms` }] }),
  };
}

function growthTitle(growth: LadderGrowth): string {
  const label = `\`${ruleLabel(growth.path, 100)}\``;
  if (growth.verdict === 'undecided') return `How the time of ${label} grows is undecided: ${shownInLine(growth.reason)}`;
  const { exponent, predictedExponent } = growth;
  const beside = predictedExponent === undefined ? '' : `, and its prediction with size^${predictedExponent.toFixed(2)}`;
  return `The time of ${label} grows with size^${exponent.value.toFixed(2)}${beside}`;
}

function growthReading(growth: LadderGrowth): string {
  const how = 'A point is the median of the times of one size, and its bar is the 95 % interval of the median.';
  if (growth.verdict === 'undecided') return `${how} The growth is undecided, so a slope between the points proves nothing.`;
  return `${how} The growth: ${growthText(growth)}.`;
}

/** Returns a chart of measured times beside predicted ones, one point for each write. The list is empty if no write has both. */
function predictionCharts(report: ClusterLoadReport): readonly Chart[] {
  const rules = ruleTimes(report.writes);
  const { familiesOff } = report;
  const { true: counted = [], false: short = [] } = Object.groupBy(rules, ({ counts }) => (counts ? 'true' : 'false'));
  const named = counted.filter(({ family }) => familiesOff.some((off) => off.family === family)).slice(0, MAX_NAMED);
  const points = (some: readonly RuleTime[]) => some.map(({ predictedMs, measuredMs }): [number, number] => [predictedMs, measuredMs]);
  return drawableCharts([
    {
      kind: 'cloud',
      id: 'predictions',
      title: predictionTitle(familiesOff, counted.length),
      subtitle: 'Time that a write takes more than the shortest one, by the predicted time of its rules',
      reading: `Each point is a write. ${leastText(report)} The dashed lines are the prediction, its double and its half.${named.length === 0 ? '' : ' Numbered points are writes of a family that is off by more than a factor of 2.'}`,
      notShown: `The shortest write itself, writes without a prediction, and writes with fewer than 5 expected answers. ${WHOLE_WRITE}`,
      x: { label: 'predicted time of the rules', unit: 'ms' },
      y: { label: 'measured time above the shortest write', unit: 'ms' },
      groups: [
        { name: 'long enough to compare', role: 'assay', points: points(counted) },
        { name: `too short to compare, or a large object`, role: 'peer', points: points(short) },
      ],
      outliers: named.map(({ predictedMs, measuredMs, write, family }) => ({
        x: predictedMs,
        y: measuredMs,
        name: `${writeName(write)} (${family})`,
      })),
      diagonals: [
        { factor: 2, label: 'twice' },
        { factor: 1, label: 'as predicted' },
        { factor: 0.5, label: 'half' },
      ],
    },
  ]);
}

function predictionTitle(off: readonly FamilyOff[], counted: number): string {
  const [first, ...others] = off.toSorted((a, b) => distance(b) - distance(a));
  if (first !== undefined) {
    const more = others.length === 0 ? '' : `, and these are off, too: ${others.map(({ family }) => family).join(', ')}`;
    return `For rules of the family ${first.family}, the measured time is ${timesText(first.ratio)} the prediction${more}`;
  }
  return counted === 0
    ? 'No rule takes long enough to compare its time with the prediction'
    : 'No family of rules is off by more than a factor of 2';
}

const distance = ({ ratio }: FamilyOff): number => Math.abs(Math.log(ratio));

function leastText({ writes }: ClusterLoadReport): string {
  const least = Math.min(...writes.flatMap(({ latencies }) => latencies.median?.ms ?? []));
  return `The shortest median of all writes, ${timeText(least)}, counts as the time beside the rules.`;
}

const writeName = ({ path, source, size }: WriteRow): string =>
  path === undefined ? ruleLabel(source, 60) : `${ruleLabel(path, 60)}, size ${size ?? 0}`;
