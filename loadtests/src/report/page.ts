import { chartFigure, markup, PAGE_STYLE, pageFrame, prose, tableMarkup, VERDICTS } from '#report/charts';
import type { Markup } from '#report/charts';
import { sentence } from '../result/sentence.ts';
import type { ReportClaim, ExperimentResult, RunSummary, Table } from '../result/summary.ts';
import { outcomeText, sorted, verdictsText } from '../result/verdicts.ts';
import { conditionsOf, noiseText, tablesBelow } from './run-words.ts';

/** Styles of the page. On narrow screens, tables of claims are displayed as cards. */
const STYLE = `${PAGE_STYLE}
.question{color:var(--muted);font-size:14px;margin:0 0 4px}
@media(max-width:640px){
.claims thead{position:absolute;left:-999px}
.claims tr{display:grid;padding:10px 0;border-bottom:1px solid var(--grid)}
.claims td,.claims th[scope=row]{border:0;padding:1px 0}
.claims td::before{content:attr(data-label) ": ";color:var(--muted)}
}
`;

/**
 * Returns the report as one HTML page without scripts or requests: findings → claims → one section for each experiment → gates →
 * conditions.
 */
export function reportPage(summary: RunSummary): string {
  const { experiments, startedAt, thoroughness } = summary;
  const claims = experiments.flatMap((experiment) => experiment.claims.map((claim) => ({ ...claim, experiment: experiment.name })));
  const found = experiments.filter(({ status }) => status === 'complete' || status === 'partial');
  return pageFrame({
    title: `Assay load lab, ${startedAt.slice(0, 10)}`,
    style: STYLE,
    skip: ['claims', 'the claims'],
    above: `Assay load lab · ${startedAt.slice(0, 16).replace('T', ' ')} UTC · ${thoroughness} run`,
    headline: prose(
      sentence([
        verdictsText(
          'gate',
          experiments.flatMap(({ gates }) => gates),
        ),
      ]),
    ),
    lead: markup`${found.slice(0, 3).map(({ finding }) => markup`<p class="lead">${prose(finding)}</p>`)}${trust(summary)}`,
    main: markup`${claimsSection(claims)}${experiments.map(experimentSection)}${gatesSection(experiments)}${WORDS}${conditions(summary)}`,
    footer: markup`Every figure of this page, with its raw samples, is in <code>summary.json</code> beside it. Milliseconds are information and fail no build; cost units, verdicts, bytes and counted work do.`,
  });
}

/** Returns a section that states whether the results are reliable. */
function trust({ experiments, complete }: RunSummary): Markup {
  const isBroken = experiments.some(({ status, gates }) => status === 'failed' || sorted(gates).failed.length > 0);
  const isDoubtful = !complete || experiments.some(({ noise }) => noise.verdict === 'noisy');
  const whole = complete ? '' : ' The run was stopped before its end: what is here is valid, but not all.';
  return markup`<p class="trust ${isBroken ? 'broken' : isDoubtful ? 'doubt' : ''}"><b>${prose(noiseText(experiments))}</b> ${outcomeText(experiments)}${whole}</p>`;
}

/** Returns a section with a heading. The ids of both are derived from `id`. */
const section = (id: string, heading: string | Markup, content: Markup): Markup =>
  markup`<section id="${id}" aria-labelledby="${id}-heading"><h2 id="${id}-heading">${heading}</h2>${content}</section>\n`;

const definitions = (entries: readonly (readonly [string, string])[]): Markup =>
  markup`<dl>${entries.map(([word, meaning]) => markup`<dt>${word}</dt><dd>${meaning}</dd>`)}</dl>`;

/** Section that explains the terms of the page. */
const WORDS = section(
  'words',
  'Words of this page',
  definitions([
    ['cell', 'one thing that was measured, with its raw samples'],
    ['claim', 'a statement of an enhancement proposal (KEP) or an aim of this project, compared with what was measured'],
    [
      'gate',
      'a comparison of exact figures (cost units, verdicts, bytes, counted work) that fails the run; a gate whose figures are missing was not measured, and neither holds nor fails',
    ],
    ['n^0.97', 'growth: when n is doubled, time is multiplied by 2 to this power; n^1 is linear, n^2 quadratic'],
    ['slope', 'on two logarithmic axes, how steep a line is: the power above'],
    ['95 % interval', 'where the figure would lie in 95 of 100 repetitions'],
    ['closed load', 'clients that each send again when they were answered'],
    ['open load', 'requests at a fixed rate, whether or not earlier ones were answered, timed from when each was due'],
  ]),
);

type NamedClaim = ReportClaim & { readonly experiment: string };

function claimsSection(claims: readonly NamedClaim[]): Markup {
  if (claims.length === 0) return markup``;
  const { open } = sorted(claims);
  const decided = claims.filter((claim) => !open.includes(claim));
  const undecided = open.length === 0 ? '' : markup`<h3>Not decided by this run</h3>${claimsTable(open)}`;
  return section(
    'claims',
    'What was claimed, and what was measured',
    markup`${decided.length === 0 ? '' : claimsTable(decided)}${undecided}`,
  );
}

function claimsTable(claims: readonly NamedClaim[]): Markup {
  const rows = claims.map(
    ({ source, claim, system, found, verdict, experiment }) =>
      markup`<tr><th scope="row"><a href="#${experiment}">${prose(claim)}</a> <small>${source}</small></th><td data-label="System">${prose(system)}</td><td data-label="Seen">${prose(found)}</td><td data-label="Verdict">${VERDICTS[verdict]}</td></tr>`,
  );
  return markup`<table class="claims"><thead><tr><th scope="col">Claim</th><th scope="col">System</th><th scope="col">Seen</th><th scope="col">Verdict</th></tr></thead><tbody>${rows}</tbody></table>`;
}

function experimentSection(experiment: ExperimentResult): Markup {
  const { name, question, finding, status, why, noise } = experiment;
  const state =
    status === 'complete' ? '' : markup` <span class="verdict ${status === 'failed' ? 'fails' : 'part'}">${status}: ${why ?? ''}</span>`;
  const quiet =
    noise.verdict === 'noisy'
      ? markup` <span class="verdict part">noisy machine: ${(noise.share * 100).toFixed(0)} % of probes disturbed</span>`
      : '';
  return section(
    name,
    prose(finding),
    markup`<p class="question">${prose(question)}${state}${quiet}</p>
${experiment.charts.map((chart) => markup`${chartFigure(chart, { prefix: name, widths: ['wide', 'narrow'] })}\n${tablesBelow(experiment, chart.id).map(tableHtml)}`)}
${tablesBelow(experiment, undefined).map(tableHtml)}
${experiment.notes.map((note) => markup`<p class="not">${prose(note)}</p>`)}`,
  );
}

const tableHtml = (table: Table): Markup =>
  markup`${tableMarkup(table)}
${table.notes.map((note) => markup`<p class="not">${prose(note)}</p>`)}`;

function gatesSection(experiments: readonly ExperimentResult[]): Markup {
  const gates = experiments.flatMap((experiment) => experiment.gates.map((gate) => ({ ...gate, experiment: experiment.name })));
  if (gates.length === 0) return markup``;
  const { held, failed, open } = sorted(gates);
  const listed = (some: readonly (typeof gates)[number][]): Markup =>
    markup`<ul>${some.map(
      ({ experiment, name, measure, expected, actual }) =>
        markup`<li><b>${experiment}</b> ${prose(name)} (${measure}): ${actual}${actual === expected ? '' : `, expected ${expected}`}</li>`,
    )}</ul>`;
  const folded = (some: readonly (typeof gates)[number][], summary: string): Markup =>
    some.length === 0 ? markup`` : markup`<details><summary>${summary}</summary>${listed(some)}</details>`;
  return section(
    'gates',
    sentence([verdictsText('gate', gates)]),
    markup`${failed.length > 0 ? listed(failed) : ''}${folded(open, `${open.length} not measured`)}${folded(held, `${held.length} that hold`)}`,
  );
}

const conditions = (summary: RunSummary): Markup => section('conditions', 'Where this was measured', definitions(conditionsOf(summary)));
