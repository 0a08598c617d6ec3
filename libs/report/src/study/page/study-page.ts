import type { PlacedFindings, StudyReport } from '#benchmark';
import { minorWords } from '#kube';
import { countedText, grouped, shortCost, timeText } from '#numbers';
import { costCharts, timeCharts } from './study-charts.ts';
import { ruleSection } from './study-section.ts';
import {
  costChangeText,
  growingFields,
  growthName,
  NOT_FINISHED,
  productText,
  ratioText,
  refusedFrom,
  timeChangeText,
  unusableDefinitions,
  withUnfinishedNote,
} from '../study-words.ts';
import { chartFigure } from '../../charts/chart-figure.ts';
import { markup, tableMarkup } from '../../charts/markup.ts';
import type { Markup } from '../../charts/markup.ts';
import { PAGE_STYLE, pageFrame } from '../../charts/page-frame.ts';
import type { Chart } from '../../charts/chart.ts';
import { cutText } from '../../forms/shown-text.ts';
import { pagePolicy } from '../../forms/page-policy.ts';

const STYLE = `${PAGE_STYLE}
.rule{white-space:pre-wrap;overflow-wrap:anywhere}
h2,td,.trust{overflow-wrap:anywhere}td.figure{white-space:nowrap}td:first-child{min-width:180px}#rules td:nth-child(5){min-width:150px}
@media(min-width:1000px){#rules .scroll{width:min(1180px,94vw);margin-left:calc(50% - min(590px,47vw))}}
`;
/** The content security policy of {@link studyPage}. */
export const STUDY_PAGE_POLICY = pagePolicy(STYLE);
/** Highest size in bytes of a page with charts. Charts that would make the page larger are left out. */
const MAX_BYTES = 1_900_000;
/** Highest number of characters of a rule that the table of all rules shows. */
const RULE_WIDTH = 60;

/**
 * Charts that the page shows (`figures`) and number of charts that it leaves out (`leftOut`). The key of both maps is the position of the
 * rule in the report, from 1.
 */
interface ChosenCharts {
  readonly figures: ReadonlyMap<number, readonly Markup[]>;
  readonly leftOut: ReadonlyMap<number, number>;
}

/** Returns a study as one HTML page without scripts or requests: headline → table of all rules → each rule with its charts. */
export function studyPage(report: StudyReport): string {
  const bare = pageText(report, { figures: new Map(), leftOut: new Map() });
  return pageText(report, chooseCharts(report.rules, MAX_BYTES - Buffer.byteLength(bare)));
}

/**
 * Chooses the charts that fit into `room` bytes. Cost charts come before time charts, and charts of rules with a higher cost come first.
 */
function chooseCharts(rules: readonly PlacedFindings[], room: number): ChosenCharts {
  const byCost = rules
    .map((rule, i) => ({ rule, number: i + 1 }))
    .toSorted((a, b) => (b.rule.worst?.cost ?? 0) - (a.rule.worst?.cost ?? 0));
  const wanted = [costCharts, timeCharts].flatMap((chartsOf) =>
    byCost.flatMap(({ rule, number }) => chartsOf(rule).map((chart: Chart) => ({ chart, number }))),
  );
  const figures = new Map<number, Markup[]>();
  const leftOut = new Map<number, number>();
  let left = room;
  for (const { chart, number } of wanted) {
    // After the first chart that does not fit, no chart is drawn.
    const figure = left < 0 ? undefined : chartFigure(chart, { prefix: `r${number}`, widths: ['wide'] });
    left -= Buffer.byteLength(figure?.text ?? '');
    if (figure === undefined || left < 0) leftOut.set(number, (leftOut.get(number) ?? 0) + 1);
    else figures.set(number, [...(figures.get(number) ?? []), figure]);
  }
  return { figures, leftOut };
}

function pageText(report: StudyReport, { figures, leftOut }: ChosenCharts): string {
  const { rules, kubernetesVersion } = report;
  const sections = rules.map((rule, i) =>
    ruleSection(rule, { id: `r${i + 1}`, number: i + 1, figures: figures.get(i + 1) ?? [], leftOut: leftOut.get(i + 1) ?? 0 }),
  );
  const lacking = [...leftOut.values()].reduce((sum, count) => sum + count, 0);
  return pageFrame({
    title: `Study of ${countedText(rules.length, 'rule')}`,
    style: STYLE,
    meta: markup`<meta http-equiv="Content-Security-Policy" content="${STUDY_PAGE_POLICY}">`,
    skip: ['rules', 'the rules'],
    above: `Assay study · Kubernetes ${minorWords(kubernetesVersion)} · seed ${report.seed}`,
    headline: headline(rules),
    lead: markup`<p class="lead">Costs are exact CEL cost units, the same on every machine. Times are those of one machine: ${report.cpu}, Node ${report.node}.</p>
${report.isPartial ? markup`<p class="trust doubt">The time of ${timeText(report.budgetMs)} was over before the study came to its end.</p>` : ''}
${unusableDefinitions(report).map(({ name, why }) => markup`<p class="trust doubt">${name}: ${why}</p>`)}
${lacking === 0 ? '' : markup`<p class="trust doubt">${countedText(lacking, 'chart')} left out, to keep the page under 2 MB, beginning with charts of time and of cheap rules. All figures are in the JSON report.</p>`}`,
    main: markup`<section id="rules" aria-labelledby="rules-heading"><h2 id="rules-heading">All rules${report.base === undefined ? '' : `, compared with ${report.base}`}</h2>
${rules.length === 0 ? '' : summaryTable(report)}
${report.notStudied.map(({ reason, rules: count }) => markup`<p class="not">${countedText(count, 'rule')} not studied: ${reason}</p>`)}</section>
${sections}${slowestCells(report)}`,
    footer: 'A study finds expensive writes, but more expensive ones may exist.',
  });
}

/**
 * Returns the table of the slowest parts of the study, with the trace of the study. Returns an empty text if the report lists no such
 * parts.
 */
function slowestCells({ slowestCells: cells = [], traceId, trace }: StudyReport): Markup | string {
  if (cells.length === 0) return '';
  const withNode = cells.some(({ node }) => node !== undefined);
  const rows = cells.map(({ kind, definition = '', rule = '', node = '', ms }) => [
    kind,
    `${definition} ${rule}`,
    ...(withNode ? [node] : []),
    timeText(ms),
  ]);
  const columns = ['work', 'rule', ...(withNode ? ['process'] : []), 'time of a thread'];
  // The report may come from an untrusted service, so only web addresses become links.
  const isPage = trace !== undefined && /^https?:\/\//.test(trace);
  const name = !isPage ? markup`<code>${traceId ?? ''}</code>` : markup`<a href="${trace}">${traceId ?? ''}</a>`;
  return markup`<section id="work" aria-labelledby="work-heading"><h2 id="work-heading">The slowest work</h2>
${traceId === undefined ? '' : markup`<p>Trace: ${name}</p>`}
${tableMarkup({ title: '', columns, rows })}</section>
`;
}

function headline(rules: readonly PlacedFindings[]): string {
  const refused = rules.filter(({ budgetEndsAt, worst }) => budgetEndsAt !== undefined || (worst && worst.end !== 'accepted')).length;
  if (rules.length === 0) return 'No rule was studied';
  const open = rules.filter(({ isPartial }) => isPartial).length;
  const all = countedText(rules.length, 'rule');
  const known = refused === 0 ? `None of ${all} reaches a limit of cost` : `${refused} of ${all} can reach a limit of cost`;
  return open === 0 ? known : `${known}; ${open} ${NOT_FINISHED}`;
}

/**
 * Returns the table of all rules. The columns of costs come first. One further column for each engine contains the time of one evaluation.
 */
function summaryTable({ rules, base }: StudyReport): Markup {
  const engines = [...new Set(rules.flatMap(({ times }) => times.flatMap(({ engine, what }) => (what === 'rule' ? [engine] : []))))];
  const row = (rule: PlacedFindings, i: number): (string | Markup)[] => {
    const { estimate, worst, estimateOverWorst, times } = rule;
    const fields = productText(growingFields(rule));
    const timeOf = (engine: string): string => {
      const time = times.find((one) => one.engine === engine && one.what === 'rule');
      return time === undefined ? '' : timeText(time.ms);
    };
    return [
      markup`<a href="#r${i + 1}">${i + 1}. ${rule.definition}</a> <code>${cutText(rule.rule.trim().replace(/\s+/g, ' '), RULE_WIDTH)}</code>`,
      worst === undefined ? '' : grouped(worst.cost),
      estimate === undefined ? '' : shortCost(estimate.object),
      estimateOverWorst === undefined ? '' : ratioText(estimateOverWorst),
      withUnfinishedNote(fields === '' ? '' : `${fields}: ${growthName(rule)}`, rule),
      refusedFrom(rule),
      ...(base === undefined ? [] : [rule.base === undefined ? '' : costChangeText(rule.base)]),
      ...engines.map(timeOf),
      ...(base === undefined ? [] : [(rule.base && timeChangeText(rule.base)) ?? '']),
    ];
  };
  const beside = base === undefined ? { cost: [], time: [] } : { cost: ['cost beside the base'], time: ['time beside the base'] };
  return tableMarkup({
    title: '',
    columns: [
      'rule',
      'most expensive write found, units',
      'estimate of an object, units',
      'estimate ÷ highest cost found',
      'grows with',
      'refused from',
      ...beside.cost,
      ...engines.map((engine) => `one evaluation, ${engine}`),
      ...beside.time,
    ],
    rows: rules.map(row),
  });
}
