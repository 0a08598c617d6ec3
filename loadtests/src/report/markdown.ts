import { countedText } from '../measure/figures.ts';
import { gatesText, sortGates } from '../result/sorted-gates.ts';
import type { RunSummary } from '../result/summary.ts';

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

/** Rows as a table of Markdown. */
export function markdownTable(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;
  return [line(columns), line(columns.map(() => '---')), ...rows.map(line)].join('\n');
}

/** A run for the comment of a pull request: the gates that fail, what was found, and what became of the claims. */
export function markdownReport({ experiments, environment, thoroughness, complete }: RunSummary): string {
  const gates = experiments.flatMap((experiment) => experiment.gates.map((gate) => ({ ...gate, experiment: experiment.name })));
  const { failed } = sortGates(gates);
  const claims = experiments.flatMap((experiment) => experiment.claims);
  const noisy = experiments.filter(({ noise }) => noise.verdict === 'noisy').length;
  return [
    `## Load lab: ${gatesText(gates)}`,
    `${thoroughness} run on ${environment['cores'] ?? '?'} × ${environment['cpu'] ?? '?'}, Node ${environment['node'] ?? '?'}, revision ${environment['revision'] ?? '?'}${complete ? '' : '; **stopped before its end**'}. ${noisy === 0 ? 'The machine was quiet enough.' : `The machine was busy during ${noisy} of ${countedText(experiments.length, 'experiment')}.`}`,
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
      experiments.map(({ name, finding, status, why }) => [
        name,
        status === 'complete' ? finding : `${status}${why === undefined ? '' : ` (${why})`}: ${finding}`,
      ]),
    ),
    ...(claims.length === 0
      ? []
      : [
          markdownTable(
            ['claim', 'system', 'seen', 'verdict'],
            claims.map(({ claim, source, system, found, verdict }) => [`${claim} (${source})`, system, found, verdict]),
          ),
        ]),
    '',
  ].join('\n\n');
}
