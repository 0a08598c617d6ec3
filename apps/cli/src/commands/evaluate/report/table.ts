import type { EvaluationOutcome } from '../../../evaluation/evaluate.ts';
import type { EvaluationView } from './view.ts';
import { OUTCOME_WORDS, placeText } from '../../../report/words.ts';

const HEADINGS = ['OUTCOME', 'NAME', 'CEL COST', 'PLACE'] as const;

/** The parts of an evaluation's outcome that a table shows. */
type ShownOutcome = Pick<EvaluationOutcome, 'definitions' | 'items'>;

/** Returns the outcome as a table with one row per definition and one row per object. */
export const evaluationTable = (outcome: ShownOutcome, view: EvaluationView): string => tableOf(rowsOf(outcome, view));

/**
 * Returns the rows of the table that shows the outcome of an evaluation, without the headings. Each row describes one definition or one
 * object.
 */
export function rowsOf({ definitions, items }: ShownOutcome, view: EvaluationView): (readonly string[])[] {
  return [
    ...definitions.map((one) => [
      one.accepted ? 'accepted' : 'refused',
      `CustomResourceDefinition ${JSON.stringify(one.name)}`,
      '',
      placeText(one),
    ]),
    ...items
      .filter(({ outcome }) => !(view.quiet && outcome === 'accepted'))
      .map((item) => [
        OUTCOME_WORDS[item.outcome],
        view.nameOf(item),
        item.cost === undefined ? '' : String(item.cost.cel),
        placeText(item),
      ]),
  ];
}

/** Returns a table as text, with the headings above the rows and all columns aligned. */
export function tableOf(rows: readonly (readonly string[])[]): string {
  const all = [HEADINGS, ...rows];
  const widths = HEADINGS.map((_, column) => all.reduce((most, row) => Math.max(most, [...(row[column] ?? '')].length), 0));
  const lines = all.map((row) =>
    row
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - [...cell].length))
      .join('  ')
      .trimEnd(),
  );
  return `${lines.join('\n')}\n`;
}
