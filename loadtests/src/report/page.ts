import { chartFigure, countedText, Markup, markup, prose, tableMarkup, THEME_CHOICE, timeText, VERDICTS } from '#charts';
import { failedText } from '../result/failed-experiments.ts';
import { sentence } from '../result/sentence.ts';
import { claimsText, sortClaims } from '../result/sorted-claims.ts';
import { gatesText, sortGates } from '../result/sorted-gates.ts';
import type { ReportClaim, ExperimentResult, RunSummary, Table } from '../result/summary.ts';
import { REPORT_STYLE } from './page-style.ts';
import { tablesBelow } from './tables-below.ts';

/** PLOT: the report as one HTML page without script or request: what was found → claims → an experiment after the other → gates → conditions. */
export function reportPage(summary: RunSummary): string {
  const { experiments } = summary;
  const claims = experiments.flatMap((experiment) => experiment.claims.map((claim) => ({ ...claim, experiment: experiment.name })));
  return markup`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>Assay load lab, ${summary.startedAt.slice(0, 10)}</title><style>${new Markup(REPORT_STYLE)}</style></head>
<body><a class="skip" href="#claims">Skip to the claims</a>
${head(summary)}
<main>${claims.length > 0 ? claimsSection(claims) : ''}
${experiments.map((experiment) => markup`${experimentSection(experiment)}\n`)}
${gatesSection(experiments)}
${WORDS}
${conditions(summary)}</main>
<footer><p>Every figure of this page, with its raw samples, is in <code>summary.json</code> beside it. Milliseconds are information and fail no build; cost units, verdicts, bytes and counted work do.</p></footer>
</body></html>
`.text;
}

function head(summary: RunSummary): Markup {
  const { experiments } = summary;
  const told = experiments.filter(({ status }) => status === 'complete' || status === 'partial');
  const leading = told[0];
  return markup`<header><div class="top"><span>Assay load lab · ${summary.startedAt.slice(0, 16).replace('T', ' ')} UTC · ${summary.thoroughness} run</span>
${THEME_CHOICE}</div>
<h1>${prose(leading?.finding ?? 'Nothing was found: no experiment came to an end')}</h1>
${told.slice(1, 3).map(({ finding }) => markup`<p class="lead">${prose(finding)}</p>`)}
${trust(summary)}
${tiles(summary)}
<nav aria-label="Experiments"><details><summary>${countedText(experiments.length, 'experiment')}, one question each</summary><ol>${experiments.map(
    ({ name, question }) => markup`<li><a href="#${name}">${prose(question)}</a></li>`,
  )}</ol></details></nav></header>`;
}

/** Whether to believe what follows. */
function trust({ experiments, complete, noiseFloor }: RunSummary): Markup {
  const noisy = experiments.filter(({ noise }) => noise.verdict === 'noisy');
  const allGates = experiments.flatMap(({ gates }) => gates);
  const { failed } = sortGates(allGates);
  const broken = failedText(experiments);
  const quiet =
    noisy.length === 0
      ? 'The machine was quiet enough.'
      : `Read with care: the machine was busy during ${noisy.length} of ${countedText(experiments.length, 'experiment')} (${noisy.map(({ name }) => name).join(', ')}).`;
  const gates = `${sentence([gatesText(allGates)])}.`;
  const whole = complete ? '' : ' The run was stopped before its end: what is here is valid, but not all.';
  const kind = failed.length > 0 || broken !== undefined ? 'broken' : noisy.length > 0 || !complete ? 'doubt' : '';
  const failures = broken === undefined ? '' : markup`<b>${broken}.</b> `;
  return markup`<p class="trust ${kind}">${failures}<b>${quiet}</b> ${gates}${whole} Equal work differed by up to ${((noiseFloor - 1) * 100).toFixed(0)} % here; smaller ratios are not reported as differences.</p>`;
}

function tiles({ experiments }: RunSummary): Markup {
  const claims = experiments.flatMap((experiment) => experiment.claims);
  const gates = experiments.flatMap((experiment) => experiment.gates);
  const cells = experiments.flatMap((experiment) => experiment.cells);
  const figures = [
    [claimsFigure(claims), claimsText(claims)],
    [`${sortGates(gates).held.length} of ${gates.length}`, 'gates hold: units, verdicts, bytes, counted work'],
    [
      cells.reduce((sum, { samples }) => sum + samples.length, 0).toLocaleString('en'),
      `raw samples in ${countedText(cells.length, 'cell')}`,
    ],
    [timeText(experiments.reduce((sum, { seconds }) => sum + seconds, 0) * 1000), `for ${countedText(experiments.length, 'experiment')}`],
  ];
  return markup`<div class="tiles">${figures.map(([figure, what]) => markup`<div><b>${figure ?? ''}</b><span>${what ?? ''}</span></div>`)}</div>`;
}

/** Claims that hold, of those that the run decides. */
function claimsFigure(claims: readonly ReportClaim[]): string {
  const { decided } = sortClaims(claims);
  return decided.length === 0 ? '–' : `${decided.filter(({ verdict }) => verdict === 'holds').length} of ${decided.length}`;
}

/** Terms of the page, explained once. */
const WORDS = markup`<section id="words" aria-labelledby="words-heading"><h2 id="words-heading">Words of this page</h2>
<dl>${[
  ['cell', 'one thing that was measured, with its raw samples'],
  ['claim', 'a statement of an enhancement proposal (KEP) or an aim of this project, compared with what was measured'],
  [
    'gate',
    'a comparison of exact figures (cost units, verdicts, bytes, counted work) that fails the run; a gate whose figures are missing was not measured, and neither holds nor fails',
  ],
  ['n^0.97', 'growth: when n is doubled, time is multiplied by 2 to this power; n^1 is linear, n^2 quadratic'],
  ['slope', 'on two logarithmic axes, how steep a line is: the power above'],
  ['noise floor', 'the ratio by which a piece of work differs from itself on this machine; smaller differences are not reported'],
  ['95 % interval', 'where the figure would lie in 95 of 100 repetitions'],
  ['closed load', 'clients that each send again when they were answered'],
  ['open load', 'requests at a fixed rate, whether or not earlier ones were answered, timed from when each was due'],
].map(([word, meaning]) => markup`<dt>${word ?? ''}</dt><dd>${meaning ?? ''}</dd>`)}</dl></section>`;

type NamedClaim = ReportClaim & { readonly experiment: string };

function claimsSection(claims: readonly NamedClaim[]): Markup {
  const { decided, open } = sortClaims(claims);
  const undecided = open.length === 0 ? '' : markup`<h3>Not decided by this run</h3>${claimsTable(open)}`;
  return markup`<section id="claims" aria-labelledby="claims-heading"><h2 id="claims-heading">What was claimed, and what was measured</h2>
${decided.length === 0 ? '' : claimsTable(decided)}${undecided}</section>`;
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
    status === 'complete'
      ? ''
      : markup` <span class="verdict ${status === 'failed' ? 'fails' : 'part'}">${status}${why === undefined ? '' : `: ${why}`}</span>`;
  const quiet =
    noise.verdict === 'noisy'
      ? markup` <span class="verdict part">noisy machine: ${(noise.share * 100).toFixed(0)} % of probes disturbed</span>`
      : '';
  return markup`<section id="${name}" aria-labelledby="${name}-heading"><p class="question">${prose(question)}${state}${quiet}</p>
<h2 id="${name}-heading">${prose(finding)}</h2>
${experiment.charts.map((chart) => markup`${chartFigure(chart, { prefix: name, widths: ['wide', 'narrow'] })}\n${tablesBelow(experiment, chart.id).map(tableHtml)}`)}
${tablesBelow(experiment, undefined).map(tableHtml)}
${experiment.notes.map((note) => markup`<p class="not">${prose(note)}</p>`)}
${traceLinks(experiment)}</section>`;
}

const tableHtml = (table: Table): Markup =>
  markup`${tableMarkup(table)}
${table.notes.map((note) => markup`<p class="not">${prose(note)}</p>`)}`;

function traceLinks({ traces }: ExperimentResult): Markup {
  if (traces.length === 0) return markup``;
  const items = traces.map(({ label, traceId, url }) => {
    const text = markup`${prose(label)} <code>${traceId}</code>`;
    return markup`<li>${url === undefined ? text : markup`<a href="${url}">${text}</a>`}</li>`;
  });
  return markup`<details><summary>${countedText(traces.length, 'trace')}</summary><ul>${items}</ul></details>`;
}

function gatesSection(experiments: readonly ExperimentResult[]): Markup {
  const gates = experiments.flatMap((experiment) => experiment.gates.map((gate) => ({ ...gate, experiment: experiment.name })));
  if (gates.length === 0) return markup``;
  const { held, failed, notMeasured } = sortGates(gates);
  const line = ({ experiment, name, measure, expected, actual }: (typeof gates)[number]): Markup =>
    markup`<li><b>${experiment}</b> ${prose(name)} (${measure}): ${actual}${actual === expected ? '' : `, expected ${expected}`}</li>`;
  const folded = (list: readonly (typeof gates)[number][], summary: string): Markup =>
    list.length === 0 ? markup`` : markup`<details><summary>${summary}</summary><ul class="gates">${list.map(line)}</ul></details>`;
  return markup`<section id="gates" aria-labelledby="gates-heading"><h2 id="gates-heading">${sentence([gatesText(gates)])}</h2>
${failed.length > 0 ? markup`<ul class="gates fails">${failed.map(line)}</ul>` : ''}${folded(notMeasured, `${notMeasured.length} not measured`)}${folded(held, `${held.length} that hold`)}</section>`;
}

function conditions({ environment, experiments, seed, noiseFloor, startedAt, endedAt }: RunSummary): Markup {
  const probes = experiments.flatMap(({ noise }) => noise.samplesMs);
  const best = Math.min(...probes);
  const shown = probes.filter((_, i) => i % Math.max(1, Math.ceil(probes.length / 240)) === 0);
  const bars = shown.map(
    (ms) => markup`<i${ms > best * 1.1 ? markup` class="off"` : ''} style="height:${Math.min(100, (ms / best) * 33).toFixed(0)}%"></i>`,
  );
  const entries = { ...environment, seed: String(seed), 'noise floor': `${noiseFloor.toFixed(2)}×`, started: startedAt, ended: endedAt };
  return markup`<section id="conditions" aria-labelledby="conditions-heading"><h2 id="conditions-heading">Where this was measured</h2>
<p class="sub">One fixed piece of work, timed ${probes.length.toLocaleString('en')} times beside the experiments; orange bars took over 1.1 times the fastest.</p><div class="strip" aria-hidden="true">${bars}</div>
<dl>${Object.entries(entries).map(([key, value]) => markup`<dt>${key}</dt><dd>${value}</dd>`)}</dl></section>`;
}
