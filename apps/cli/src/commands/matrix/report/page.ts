import { chartFigure, markup, PAGE_STYLE, pageFrame, prose, tableMarkup } from '#report/charts';
import type { ChartOf, Markup } from '#report/charts';
import { EXPRESSION_COST_LIMIT, minorWords } from '#kube';
import type { Minor } from '#kube';
import { RULE_HEADINGS } from './study.ts';
import type { MatrixStudy, ReportedDefinition } from './study.ts';
import type { PlacedMatrix } from '../../../report/version-matrix.ts';

const STYLE = `${PAGE_STYLE}
h2,td{overflow-wrap:anywhere}pre{white-space:pre-wrap;overflow-wrap:anywhere}
`;
/** Policy for a page without scripts. A chart of many points has inline styles. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'";

/**
 * Returns the report about definitions that the compared Kubernetes versions judge differently, as one HTML page that runs no script and
 * loads nothing.
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

function definitionSection({ name, place, verdict, errors, causes, additions }: ReportedDefinition, i: number): Markup {
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

const additionsPart = ({ sentence, bounds }: NonNullable<ReportedDefinition['additions']>): Markup =>
  markup`<p>${sentence}</p>${bounds.length === 0 ? '' : markup`<ul>${bounds.map((bound) => markup`<li><code>${bound}</code></li>`)}</ul>`}`;

type Group = ChartOf<'cloud'>['groups'][number];

/** Share of the limit in percent at which rules with an even larger share are drawn. */
const MAX_DRAWN_PERCENT = 10_000;
/** Share of the limit in percent above which a server refuses a definition. */
const LIMIT = 100;

/**
 * Returns a chart of the share of the cost limit that each rule takes on the first and on the last compared version. A rule must have a cost on
 * both versions. The rows must contain the costs of all rules.
 */
export function matrixChart({ minors, definitions }: PlacedMatrix): ChartOf<'cloud'> {
  const [first, last] = [minors[0] as Minor, minors.at(-1) as Minor];
  const points = definitions.flatMap(({ rules = [] }) =>
    rules.flatMap(({ cost }) => {
      const [x, y] = [shareOf(cost[first]), shareOf(cost[last])];
      return x > 0 && y > 0 ? [{ x, y }] : [];
    }),
  );
  const group = (name: string, role: Group['role'], holds: (x: number, y: number) => boolean): Group => ({
    name,
    role,
    points: points.filter(({ x, y }) => holds(x, y)).map(({ x, y }) => [x, y]),
  });
  const refused = group(`exceeds the limit on ${last} only`, 'assay', (x, y) => x <= LIMIT && y > LIMIT);
  const accepted = group(`exceeds the limit on ${first} only`, 'peer', (x, y) => x > LIMIT && y <= LIMIT);
  const changed = points.filter(({ x, y }) => x !== y).length;
  return {
    kind: 'cloud',
    id: 'shares',
    title: `${refused.points.length} of ${points.length} rules exceed the limit of a rule on ${last} only, and ${accepted.points.length} on ${first} only`,
    subtitle: `Estimated cost of each rule as a share of the limit, on ${minorWords(first)} and on ${minorWords(last)}`,
    reading: `Each point is a rule. On the diagonal, both versions estimate the same cost: ${points.length - changed} of ${points.length} rules. Above 100 %, a server refuses the definition.`,
    notShown: `Sums of all rules of a version, which have a limit of their own. Costs above ${MAX_DRAWN_PERCENT / 100} times the limit are drawn there.`,
    x: { label: `share of the limit on ${first}`, unit: 'percent' },
    y: { label: `share of the limit on ${last}`, unit: 'percent' },
    groups: [
      group('accepted by both', 'reference', (x, y) => x <= LIMIT && y <= LIMIT),
      refused,
      accepted,
      group('exceeds the limit on both', 'experiment', (x, y) => x > LIMIT && y > LIMIT),
    ].filter(({ points: some }) => some.length > 0),
    outliers: [],
    diagonals: [{ factor: 1, label: 'same cost' }],
    verticals: [{ x: LIMIT, label: 'limit' }],
  };
}

/** Returns the share of the limit in percent, and 0 for a rule without a cost. */
function shareOf(cost: string | undefined): number {
  if (cost === undefined || !/^\d+$/.test(cost)) return 0;
  return Math.min(MAX_DRAWN_PERCENT, (100 * Number(cost)) / Number(EXPRESSION_COST_LIMIT));
}
