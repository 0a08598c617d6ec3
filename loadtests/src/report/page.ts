import { countedText, NOT_MEASURED, timeText } from '../measure/figures.ts';
import type { Chart } from '../result/chart.ts';
import { failedText } from '../result/failed-experiments.ts';
import { sentence } from '../result/sentence.ts';
import { claimsText, sortClaims } from '../result/sorted-claims.ts';
import { gatesText, sortGates } from '../result/sorted-gates.ts';
import type { ReportClaim, ExperimentResult, RunSummary } from '../result/summary.ts';
import { chartData } from './chart-data.ts';
import { chartKey } from './chart-key.ts';
import { draw } from './charts/draw.ts';
import { escaped, prose } from './html.ts';
import { PAGE_STYLE } from './page-style.ts';
import { tablesBelow } from './tables-below.ts';
import type { TextTable } from './text-table.ts';

/** PLOT: the report as one HTML page without script or request: what was found → claims → an experiment after the other → gates → conditions. */
export function reportPage(summary: RunSummary): string {
  const { experiments } = summary;
  const claims = experiments.flatMap((experiment) => experiment.claims.map((claim) => ({ ...claim, experiment: experiment.name })));
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>Assay load lab, ${escaped(summary.startedAt.slice(0, 10))}</title><style>${PAGE_STYLE}</style></head>
<body><a class="skip" href="#claims">Skip to the claims</a>
${head(summary)}
<main>${claims.length > 0 ? claimsSection(claims) : ''}
${experiments.map(experimentSection).join('\n')}
${gatesSection(experiments)}
${WORDS}
${conditions(summary)}</main>
<footer><p>Every figure of this page, with its raw samples, is in <code>summary.json</code> beside it. Milliseconds are information and fail no build; cost units, verdicts, bytes and counted work do.</p></footer>
</body></html>
`;
}

function head(summary: RunSummary): string {
  const { experiments } = summary;
  const told = experiments.filter(({ status }) => status === 'complete' || status === 'partial');
  const leading = told[0];
  const theme = (id: string, name: string, checked = ''): string =>
    `<label><input type="radio" name="theme" id="theme-${id}"${checked}><span>${name}</span></label>`;
  return `<header><div class="top"><span>Assay load lab · ${escaped(summary.startedAt.slice(0, 16).replace('T', ' '))} UTC · ${summary.thoroughness} run</span>
<fieldset><legend>Colour theme</legend>${theme('auto', 'auto', ' checked')}${theme('light', 'light')}${theme('dark', 'dark')}</fieldset></div>
<h1>${prose(leading?.finding ?? 'Nothing was found: no experiment came to an end')}</h1>
${told
  .slice(1, 3)
  .map(({ finding }) => `<p class="lead">${prose(finding)}</p>`)
  .join('')}
${trust(summary)}
${tiles(summary)}
<nav aria-label="Experiments"><details><summary>${countedText(experiments.length, 'experiment')}, one question each</summary><ol>${experiments
    .map(({ name, question }) => `<li><a href="#${escaped(name)}">${prose(question)}</a></li>`)
    .join('')}</ol></details></nav></header>`;
}

/** Whether to believe what follows. */
function trust({ experiments, complete, noiseFloor }: RunSummary): string {
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
  const failures = broken === undefined ? '' : `<b>${escaped(broken)}.</b> `;
  return `<p class="trust ${kind}">${failures}<b>${escaped(quiet)}</b> ${escaped(gates)}${whole} Equal work differed by up to ${((noiseFloor - 1) * 100).toFixed(0)} % here; smaller ratios are not reported as differences.</p>`;
}

function tiles({ experiments }: RunSummary): string {
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
  return `<div class="tiles">${figures.map(([figure, what]) => `<div><b>${escaped(figure ?? '')}</b><span>${escaped(what ?? '')}</span></div>`).join('')}</div>`;
}

/** Claims that hold, of those that the run decides. */
function claimsFigure(claims: readonly ReportClaim[]): string {
  const { decided } = sortClaims(claims);
  return decided.length === 0 ? '–' : `${decided.filter(({ verdict }) => verdict === 'holds').length} of ${decided.length}`;
}

const VERDICTS: Readonly<Record<ReportClaim['verdict'], string>> = {
  holds: '<span class="verdict holds">✓ holds</span>',
  fails: '<span class="verdict fails">✗ does not hold</span>',
  'in part': '<span class="verdict part">◐ in part</span>',
  undecided: '<span class="verdict undecided">? not decided</span>',
  'not measured': '<span class="verdict undecided">– not measured</span>',
};

/** Terms of the page, explained once. */
const WORDS = `<section id="words" aria-labelledby="words-heading"><h2 id="words-heading">Words of this page</h2>
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
  ['95 % interval', 'where the figure would lie in 95 of 100 repetitions, from resampling the rounds'],
  ['closed load', 'clients that each send again when they were answered'],
  ['open load', 'requests at a fixed rate, whether or not earlier ones were answered, timed from when each was due'],
]
  .map(([word, meaning]) => `<dt>${escaped(word ?? '')}</dt><dd>${escaped(meaning ?? '')}</dd>`)
  .join('')}</dl></section>`;

type NamedClaim = ReportClaim & { readonly experiment: string };

function claimsSection(claims: readonly NamedClaim[]): string {
  const { decided, open } = sortClaims(claims);
  const undecided = open.length === 0 ? '' : `<h3>Not decided by this run</h3>${claimsTable(open)}`;
  return `<section id="claims" aria-labelledby="claims-heading"><h2 id="claims-heading">What was claimed, and what was measured</h2>
${decided.length === 0 ? '' : claimsTable(decided)}${undecided}</section>`;
}

function claimsTable(claims: readonly NamedClaim[]): string {
  const rows = claims.map(
    ({ source, claim, system, found, verdict, experiment }) =>
      `<tr><th scope="row"><a href="#${escaped(experiment)}">${prose(claim)}</a> <small>${escaped(source)}</small></th><td data-label="System">${prose(system)}</td><td data-label="Seen">${prose(found)}</td><td data-label="Verdict">${VERDICTS[verdict]}</td></tr>`,
  );
  return `<table class="claims"><thead><tr><th scope="col">Claim</th><th scope="col">System</th><th scope="col">Seen</th><th scope="col">Verdict</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

function experimentSection(experiment: ExperimentResult): string {
  const { name, question, finding, status, why, noise } = experiment;
  const state =
    status === 'complete'
      ? ''
      : ` <span class="verdict ${status === 'failed' ? 'fails' : 'part'}">${status}${why === undefined ? '' : `: ${escaped(why)}`}</span>`;
  const quiet =
    noise.verdict === 'noisy'
      ? ` <span class="verdict part">noisy machine: ${(noise.share * 100).toFixed(0)} % of probes disturbed</span>`
      : '';
  return `<section id="${escaped(name)}" aria-labelledby="${escaped(name)}-heading"><p class="question">${prose(question)}${state}${quiet}</p>
<h2 id="${escaped(name)}-heading">${prose(finding)}</h2>
${experiment.charts.map((chart) => [chartFigure(name, chart), ...tablesBelow(experiment, chart.id).map(tableHtml)].join('\n')).join('\n')}
${tablesBelow(experiment, undefined).map(tableHtml).join('\n')}
${experiment.notes.map((note) => `<p class="not">${prose(note)}</p>`).join('')}
${traceLinks(experiment)}</section>`;
}

function chartFigure(experiment: string, chart: Chart): string {
  const id = `${experiment}-${chart.id}`;
  const names = { labelledBy: `${id}-title`, describedBy: `${id}-reading` };
  const data = chartData(chart);
  return `<div class="chart" id="${escaped(id)}"><h3 id="${names.labelledBy}">${prose(chart.title)}</h3><p class="sub">${prose(chart.subtitle)}</p>${chartKey(chart)}
<div class="wide">${draw(chart, 'wide', names)}</div><div class="narrow">${draw(chart, 'narrow', names)}</div>
<p class="read" id="${names.describedBy}">${prose(chart.reading)}</p><p class="not"><b>Not shown by this plot:</b> ${prose(chart.notShown)}</p>
${data.rows.length === 0 ? '' : `<details><summary>Figures</summary>${tableHtml({ title: '', ...data, notes: [] })}</details>`}</div>`;
}

const isFigure = (text: string): boolean => /^[\d–−+≈<]/.test(text) || text === NOT_MEASURED;

function tableHtml({ title, columns, rows, notes }: TextTable): string {
  const numeric = columns.map((_, i) => rows.length > 0 && rows.every((row) => (row[i] ?? '') === '' || isFigure(row[i] ?? '')));
  const of = (i: number): string => (numeric[i] === true ? ' class="figure"' : '');
  const header = columns.map((column, i) => `<th scope="col"${of(i)}>${prose(column)}</th>`).join('');
  const body = rows.map((row) => `<tr>${row.map((text, i) => `<td${of(i)}>${prose(text)}</td>`).join('')}</tr>`).join('');
  const caption = title === '' ? '' : `<caption>${prose(title)}</caption>`;
  return `<div class="scroll" tabindex="0" role="region" aria-label="${escaped(title === '' ? 'Figures' : title)}"><table>${caption}<thead><tr>${header}</tr></thead><tbody>${body}</tbody></table></div>${notes.map((note) => `<p class="not">${prose(note)}</p>`).join('')}`;
}

function traceLinks({ traces }: ExperimentResult): string {
  if (traces.length === 0) return '';
  const items = traces.map(({ label, traceId, url }) => {
    const text = `${prose(label)} <code>${escaped(traceId)}</code>`;
    return `<li>${url === undefined ? text : `<a href="${escaped(url)}">${text}</a>`}</li>`;
  });
  return `<details><summary>${countedText(traces.length, 'trace')}</summary><ul>${items.join('')}</ul></details>`;
}

function gatesSection(experiments: readonly ExperimentResult[]): string {
  const gates = experiments.flatMap((experiment) => experiment.gates.map((gate) => ({ ...gate, experiment: experiment.name })));
  if (gates.length === 0) return '';
  const { held, failed, notMeasured } = sortGates(gates);
  const line = ({ experiment, name, measure, expected, actual }: (typeof gates)[number]): string =>
    `<li><b>${escaped(experiment)}</b> ${prose(name)} (${measure}): ${escaped(actual)}${actual === expected ? '' : `, expected ${escaped(expected)}`}</li>`;
  const folded = (list: readonly (typeof gates)[number][], summary: string): string =>
    list.length === 0 ? '' : `<details><summary>${summary}</summary><ul class="gates">${list.map(line).join('')}</ul></details>`;
  return `<section id="gates" aria-labelledby="gates-heading"><h2 id="gates-heading">${sentence([gatesText(gates)])}</h2>
${failed.length > 0 ? `<ul class="gates fails">${failed.map(line).join('')}</ul>` : ''}${folded(notMeasured, `${notMeasured.length} not measured`)}${folded(held, `${held.length} that hold`)}</section>`;
}

function conditions({ environment, experiments, seed, noiseFloor, startedAt, endedAt }: RunSummary): string {
  const probes = experiments.flatMap(({ noise }) => noise.samplesMs);
  const best = Math.min(...probes);
  const shown = probes.filter((_, i) => i % Math.max(1, Math.ceil(probes.length / 240)) === 0);
  const bars = shown
    .map((ms) => `<i${ms > best * 1.1 ? ' class="off"' : ''} style="height:${Math.min(100, (ms / best) * 33).toFixed(0)}%"></i>`)
    .join('');
  const entries = { ...environment, seed: String(seed), 'noise floor': `${noiseFloor.toFixed(2)}×`, started: startedAt, ended: endedAt };
  return `<section id="conditions" aria-labelledby="conditions-heading"><h2 id="conditions-heading">Where this was measured</h2>
<p class="sub">One fixed piece of work, timed ${probes.length.toLocaleString('en')} times beside the experiments; orange bars took over 1.1 times the fastest.</p><div class="strip" aria-hidden="true">${bars}</div>
<dl>${Object.entries(entries)
    .map(([key, value]) => `<dt>${escaped(key)}</dt><dd>${escaped(value)}</dd>`)
    .join('')}</dl></section>`;
}
