import type { Chart } from '#report/charts';
import type { ExperimentResult, ReportClaim, RunSummary, Table } from '../result/summary.ts';
import { outcomeText, sorted } from '../result/verdicts.ts';
import { conditionsOf, noiseText, stateText, tablesBelow } from './run-words.ts';

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

/** Returns rows as a Markdown table. */
export function markdownTable(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;
  return [line(columns), line(columns.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Returns the name of the file with a chart. */
export const pictureOf = (experiment: string, chart: Chart): string => `${experiment}-${chart.id}.svg`;

/**
 * Returns the report of a run as Markdown for a terminal, a pull request and the documentation: outcome, claims, and one section for each
 * experiment. `pictures` is the folder of the charts.
 */
export function markdownReport(summary: RunSummary, pictures: string): string {
  const { experiments, thoroughness, complete } = summary;
  const claims = experiments.flatMap((experiment) => experiment.claims);
  return [
    '# Experiments',
    `This page is a ${thoroughness} run of the load lab${complete ? '' : ', **stopped before its end**'}. Times in this report are those of one machine. Cost units, verdicts, bytes and counted work are the same on every machine. So the run compares them with expected values: each comparison is a *gate*, and the run fails if a gate fails. A *claim* is a statement about times, which a run may confirm or refute. [The load lab](load-lab.md) explains how the load lab measures, and [terms](../reference/glossary.md) explains words such as *rule* and *cost unit*. An exponent such as n^2 says how a time grows: with n^2, twice the size takes four times as long. The brackets after an exponent contain its 95 % interval.`,
    noiseText(experiments),
    outcomeText(experiments),
    ...(claims.length === 0 ? [] : ['## What was claimed, and what was measured', ...claimTables(claims)]),
    ...experiments.flatMap((experiment) => experimentPart(experiment, pictures)),
    '## Where this was measured',
    markdownTable(['property of the machine or of the run', 'value'], conditionsOf(summary)),
    '',
  ].join('\n\n');
}

/** Returns a table of the claims that the run decided, and a table of the undecided claims. */
function claimTables(claims: readonly ReportClaim[]): string[] {
  const { open } = sorted(claims);
  const decided = claims.filter((claim) => !open.includes(claim));
  const table = (some: readonly ReportClaim[]): string =>
    markdownTable(
      ['claim (and who makes it)', 'measured system', 'measured result', 'does the claim hold?'],
      some.map(({ claim, source, system, found, verdict }) => [`${claim} (${source})`, system, found, verdict]),
    );
  return [
    ...(decided.length === 0 ? [] : [table(decided)]),
    ...(open.length === 0
      ? []
      : [
          'This run could not decide these claims, because it measured too little, or because the interval of the result contains the claimed value:',
          table(open),
        ]),
  ];
}

function experimentPart(experiment: ExperimentResult, pictures: string): string[] {
  const { name, question, finding, charts, notes, gates } = experiment;
  return [
    `## ${name}`,
    `*${question}*`,
    `**${finding}**${stateText(experiment)}`,
    ...sorted(gates).failed.map((gate) => `**Gate that fails**: ${gate.name}, expected ${gate.expected}, got ${gate.actual}.`),
    ...charts.flatMap((chart) => [
      `### ${chart.title}`,
      `![${chart.subtitle.replaceAll('`', '')}](${pictures}/${pictureOf(name, chart)})`,
      chart.subtitle,
      chart.reading,
      `This chart does not show: ${chart.notShown}`,
      ...tablesBelow(experiment, chart.id).flatMap(tablePart),
    ]),
    ...tablesBelow(experiment, undefined).flatMap(tablePart),
    ...notes,
  ];
}

const tablePart = ({ title, columns, rows, notes }: Table): string[] => [
  ...(title === '' ? [] : [`### ${title}`]),
  ...(rows.length === 0 ? [] : [markdownTable(columns, rows)]),
  ...notes,
];
