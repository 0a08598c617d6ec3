import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { standaloneChart } from '#charts';
import type { Chart } from '#charts';
import { PROJECT } from '../places.ts';
import { failedText } from '../result/failed-experiments.ts';
import { sentence } from '../result/sentence.ts';
import { claimsText } from '../result/sorted-claims.ts';
import { gatesText, sortGates } from '../result/sorted-gates.ts';
import type { ExperimentResult, RunSummary, Table } from '../result/summary.ts';
import { claimTables, markdownTable } from './markdown.ts';
import { tablesBelow } from './tables-below.ts';

const PAGE = join(PROJECT, 'docs/experiments.md');
const PICTURES = join(PROJECT, 'docs/experiments');

/** Writes a run into the project's documents: `docs/experiments.md`, with its charts beside it. */
export function publish(summary: RunSummary): void {
  rmSync(PICTURES, { recursive: true, force: true });
  mkdirSync(PICTURES, { recursive: true });
  for (const { name, charts } of summary.experiments)
    for (const chart of charts) writeFileSync(join(PICTURES, pictureOf(name, chart)), standaloneChart(chart));
  writeFileSync(PAGE, experimentsPage(summary));
}

const pictureOf = (experiment: string, chart: Chart): string => `${experiment}-${chart.id}.svg`;

/** The document: what was claimed, what was seen, a plot after the other with its reading. */
function experimentsPage(summary: RunSummary): string {
  const { experiments, environment, startedAt, thoroughness, seed, noiseFloor } = summary;
  const claims = experiments.flatMap((experiment) => experiment.claims);
  const gates = experiments.flatMap((experiment) => experiment.gates);
  const noisy = experiments.filter(({ noise }) => noise.verdict === 'noisy');
  const failed = failedText(experiments);
  const conditions = Object.entries({ ...environment, seed: String(seed), 'noise floor': `${noiseFloor.toFixed(2)}×`, started: startedAt });
  return [
    '# Experiments',
    `This page is a ${thoroughness} run of the load lab, written by \`npm run loadtest -- publish\`. Milliseconds are those of one machine; cost units, verdicts, bytes and counted work are the same everywhere, and gate.`,
    noisy.length === 0
      ? 'The machine was quiet enough in all experiments.'
      : `The machine was busy during ${noisy.map(({ name, noise }) => `${name} (${(noise.share * 100).toFixed(0)} % of probes)`).join(', ')}: take milliseconds there with care.`,
    ...(failed === undefined ? [] : [`**${failed}.**`]),
    `${sentence([claimsText(claims)])}. ${sentence([gatesText(gates)])}.`,
    '## What was claimed, and what was measured',
    ...claimTables(claims),
    ...experiments.flatMap(experimentPart),
    '## Where this was measured',
    markdownTable(['', ''], conditions),
    '',
  ].join('\n\n');
}

function experimentPart(experiment: ExperimentResult): string[] {
  const { name, question, finding, status, why, charts, notes, gates } = experiment;
  const { failed } = sortGates(gates);
  return [
    `## ${name}`,
    `*${question}*`,
    `**${finding}**${status === 'complete' ? '' : ` (${status}${why === undefined ? '' : `: ${why}`})`}`,
    ...charts.flatMap((chart) => [
      `### ${chart.title}`,
      `![${chart.subtitle.replaceAll('`', '')}](experiments/${pictureOf(name, chart)})`,
      chart.subtitle,
      chart.reading,
      `Not shown by this plot: ${chart.notShown}`,
      ...tablesBelow(experiment, chart.id).flatMap(tablePart),
    ]),
    ...tablesBelow(experiment, undefined).flatMap(tablePart),
    ...notes,
    ...failed.map((gate) => `Gate that fails: ${gate.name}, expected ${gate.expected}, got ${gate.actual}.`),
  ];
}

const tablePart = ({ title, columns, rows, notes }: Table): string[] => [
  ...(title === '' ? [] : [`### ${title}`]),
  ...(rows.length === 0 ? [] : [markdownTable(columns, rows)]),
  ...notes,
];
