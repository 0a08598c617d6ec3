import { chartFigure, markup, PAGE_STYLE, pageFrame, prose, tableMarkup } from '#report/charts';
import type { ChartOf, Markup } from '#report/charts';
import { RULE_HEADINGS } from './matrix-study.ts';
import type { MatrixStudy, StudiedDefinition } from './matrix-study.ts';

const STYLE = `${PAGE_STYLE}
h2,td{overflow-wrap:anywhere}pre{white-space:pre-wrap;overflow-wrap:anywhere}
`;
/** Policy for a page without scripts. A chart of many points has inline styles. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'";

/**
 * Returns a report about definitions on which Kubernetes versions differ, as one HTML page without scripts or requests.
 *
 * @param chart Chart of the costs of all rules.
 */
export function matrixPage({ title, introduction, verdicts, causes, definitions, origin }: MatrixStudy, chart: ChartOf<'cloud'>): string {
  const counted = (rows: readonly (readonly [string, number])[]): string[][] => rows.map(([words, count]) => [words, String(count)]);
  return pageFrame({
    title,
    style: STYLE,
    meta: markup`<meta http-equiv="Content-Security-Policy" content="${POLICY}">`,
    skip: ['definitions', 'the definitions'],
    above: 'Assay · Kubernetes versions',
    headline: title,
    lead: markup`${introduction.map((sentence) => markup`<p class="lead">${sentence}</p>`)}`,
    main: markup`<section>${tableMarkup({ title: '', columns: ['Verdict', 'Definitions'], rows: counted(verdicts) })}
${causes.length === 0 ? '' : tableMarkup({ title: '', columns: ['Cause of different verdicts', 'Definitions'], rows: counted(causes) })}
${chart.groups.length === 0 ? '' : chartFigure(chart, { prefix: 'rules', widths: ['wide'] })}</section>
<section id="definitions">${definitions.map(definitionSection)}</section>`,
    footer: `Costs are estimates in CEL cost units, as the API server computes them from the schema. ${origin.join(' ')}`,
  });
}

function definitionSection({ name, place, verdict, errors, causes, additions }: StudiedDefinition, i: number): Markup {
  const id = `d${i + 1}`;
  return markup`<section aria-labelledby="${id}"><h2 id="${id}">${name}</h2>
<p>${place}: ${verdict}.</p>
${errors.map(({ minors, text }) => markup`<p>The error on ${minors}:</p><pre>${text}</pre>`)}
${causes.map(
  ({ heading, sentences, rules, sums }) => markup`<p><b>${heading}:</b> ${prose(sentences.join('; '))}.</p>
${rules.length === 0 ? '' : tableMarkup({ title: '', columns: RULE_HEADINGS, rows: rules.map((row) => [...row]) })}
${sums.map((sum) => markup`<p>${sum}</p>`)}`,
)}
${additions === undefined ? '' : additionsPart(additions)}</section>
`;
}

const additionsPart = ({ sentence, bounds }: NonNullable<StudiedDefinition['additions']>): Markup =>
  markup`<p>${sentence}</p>${bounds.length === 0 ? '' : markup`<ul>${bounds.map((bound) => markup`<li><code>${bound}</code></li>`)}</ul>`}`;
