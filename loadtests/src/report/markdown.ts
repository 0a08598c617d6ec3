import { gatesText, sortGates } from '../result/sorted-gates.ts';
import { failedText } from '../result/failed-experiments.ts';
import { sortClaims } from '../result/sorted-claims.ts';
import type { ReportClaim, RunSummary } from '../result/summary.ts';
import { noiseText, stateText } from './run-words.ts';

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

/** Rows as a table of Markdown. */
export function markdownTable(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;
  return [line(columns), line(columns.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Claims as tables of Markdown: those that the run decides, and apart from them those that it leaves open. */
export function claimTables(claims: readonly ReportClaim[]): string[] {
  const { decided, open } = sortClaims(claims);
  const table = (some: readonly ReportClaim[]): string =>
    markdownTable(
      ['claim', 'system', 'seen', 'verdict'],
      some.map(({ claim, source, system, found, verdict }) => [`${claim} (${source})`, system, found, verdict]),
    );
  return [...(decided.length === 0 ? [] : [table(decided)]), ...(open.length === 0 ? [] : ['Not decided by this run:', table(open)])];
}

/** A run for the comment of a pull request: the gates that fail, what was found, and what became of the claims. */
export function markdownReport({ experiments, environment, thoroughness, complete }: RunSummary): string {
  const gates = experiments.flatMap((experiment) => experiment.gates.map((gate) => ({ ...gate, experiment: experiment.name })));
  const { failed } = sortGates(gates);
  const claims = experiments.flatMap((experiment) => experiment.claims);
  const broken = failedText(experiments);
  return [
    `## Load lab: ${gatesText(gates)}`,
    `${thoroughness} run on ${environment['cores'] ?? '?'} × ${environment['cpu'] ?? '?'}, Node ${environment['node'] ?? '?'}, revision ${environment['revision'] ?? '?'}${complete ? '' : '; **stopped before its end**'}. ${noiseText(experiments)}`,
    ...(broken === undefined ? [] : [`**${broken}.**`]),
    ...(failed.length === 0
      ? []
      : [
          markdownTable(
            ['experiment', 'gate', 'expected', 'actual'],
            failed.map(({ experiment, name, expected, actual }) => [experiment, name, expected, actual]),
          ),
        ]),
    markdownTable(
      ['experiment', 'found'],
      experiments.map((one) => [one.name, `${one.finding}${stateText(one)}`]),
    ),
    ...claimTables(claims),
    '',
  ].join('\n\n');
}
