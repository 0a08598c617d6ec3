import type { PolicySeries, PolicyStudyReport, StudiedPolicy } from '#benchmark';
import { minorWords } from '#kube';
import { countedText, grouped, timeText } from '#numbers';
import { chartFigure } from '../../charts/chart-figure.ts';
import { drawableCharts } from '../../charts/chart.ts';
import type { Chart, ChartRole } from '../../charts/chart.ts';
import { markup, tableMarkup } from '../../charts/markup.ts';
import type { Markup } from '../../charts/markup.ts';
import { PAGE_STYLE, pageFrame } from '../../charts/page-frame.ts';
import { pagePolicy } from '../../forms/page-policy.ts';
import { helpText, SERIES_HEADINGS, seriesCells, seriesName } from '../policy-words.ts';

const STYLE = `${PAGE_STYLE}
h2,td{overflow-wrap:anywhere}td.figure{white-space:nowrap}
`;
/** Roles of a chart's lines, which determine their colours. */
const ROLES: readonly ChartRole[] = ['assay', 'shipped', 'peer', 'experiment', 'reference'];
/** Maximum number of policies whose charts are drawn, so that the page stays small. */
const DRAWN_POLICIES = 40;

/** Returns a study of policies as one HTML page without scripts or requests: for each policy a table, what helps, and charts. */
export function policyPage({ policies, kubernetesVersion, isPartial, budgetMs }: PolicyStudyReport): string {
  return pageFrame({
    title: `Study of policies`,
    style: STYLE,
    meta: markup`<meta http-equiv="Content-Security-Policy" content="${pagePolicy(STYLE)}">`,
    skip: ['p1', 'the first policy'],
    above: `Assay study · Kubernetes ${minorWords(kubernetesVersion)}`,
    headline: `${grouped(policies.length)} ${policies.length === 1 ? 'policy' : 'policies'} studied`,
    lead: markup`<p class="lead">Costs are exact CEL cost units, the same on every machine. Times on a server are predicted: CPU time of the policy plugin.</p>
${isPartial ? markup`<p class="trust doubt">The time of ${timeText(budgetMs)} was over before the study came to its end.</p>` : ''}`,
    main: markup`${policies.map((policy, i) => policySection(policy, i + 1))}`,
    footer: 'A study copies parts of a policy and judges the write of one object. Other objects may cost more.',
  });
}

function policySection({ kind, name, sample, bindings = 0, price, series, helps, notStudied }: StudiedPolicy, number: number): Markup {
  const id = `p${number}`;
  const priced = price && `${grouped(price.cost)} units, ≈ ${timeText(price.ms)} on a server, ${countedText(bindings, 'binding')}`;
  const figures = number > DRAWN_POLICIES ? [] : timeCharts(series).map((chart) => chartFigure(chart, { prefix: id, widths: ['wide'] }));
  return markup`<section id="${id}" aria-labelledby="${id}-heading"><h2 id="${id}-heading">${kind} ${name}</h2>
${sample === undefined ? '' : markup`<p>Write of ${sample}: ${priced ?? 'not judged'}</p>`}
${series.length === 0 ? '' : tableMarkup({ title: '', columns: SERIES_HEADINGS.map((heading) => heading.toLowerCase()), rows: series.map(seriesCells) })}
${helps.map((help) => markup`<p>What helps: ${helpText(help)}</p>`)}
${notStudied.map(({ what, reason }) => markup`<p class="not">Not studied: ${what}: ${reason}</p>`)}
${figures}</section>
`;
}

/** Returns the charts of a policy: time by the numbers of its parts, and by the sizes of objects. */
function timeCharts(series: readonly PolicySeries[]): readonly Chart[] {
  const numbers = new Set<PolicySeries['grows']>(['bindings', 'parameters', 'variables', 'matchConditions']);
  const { true: ofNumbers = [], false: ofSizes = [] } = Object.groupBy(
    series,
    ({ grows }) => String(numbers.has(grows)) as 'true' | 'false',
  );
  return drawableCharts([
    timeChart('numbers', 'Time of a request by the numbers of a policy’s parts', ofNumbers),
    timeChart('sizes', 'Time of a request by the sizes of objects', ofSizes),
  ]);
}

function timeChart(id: string, title: string, series: readonly PolicySeries[]): Chart {
  const shown = series.slice(0, ROLES.length);
  const left = series.length - shown.length;
  return {
    kind: 'scaling',
    id,
    title,
    subtitle: 'Predicted CPU time of the policy plugin. Both axes are logarithmic: parallel lines grow alike.',
    reading: shown
      .map((one) => `${seriesName(one)}: ${one.timeExponent === undefined ? 'no growth' : `n^${one.timeExponent.toFixed(1)}`}`)
      .join('; '),
    notShown: left > 0 ? `${left} more sizes, which the table has.` : 'the rest of the request.',
    x: { label: 'number or size', unit: 'count' },
    y: { label: 'time of a request', unit: 'ms' },
    series: shown.map((one, i) => ({
      name: seriesName(one),
      role: ROLES[i] ?? 'reference',
      points: one.points.map(({ size, ms }) => ({ x: size, y: ms })),
    })),
    horizontals: [
      { y: 100, label: '100 ms' },
      { y: 1000, label: '1 s' },
    ],
  };
}
