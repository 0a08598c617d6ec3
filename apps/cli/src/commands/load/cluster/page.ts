import { chartFigure, markup, pageFrame } from '#report/charts';
import type { Chart, Markup } from '#report/charts';
import { times } from '#numbers';
import { shownInLine } from '#report';
import { packageVersion } from '#telemetry';
import { earlyEndNote, factList, STYLE, textTable } from '../page-parts.ts';
import { growthCharts, MAX_DRAWN_RULES, predictionCharts } from './plots.ts';
import type { ClusterLoadReport } from './report.ts';
import { clusterLoadFacts, writesTable } from './text.ts';

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
