import type { EvaluationOutcome } from '../evaluate.ts';
import type { EvaluationView } from './evaluation-view.ts';
import { OUTCOME_WORDS, placeText } from './words.ts';

const HEADINGS = ['OUTCOME', 'NAME', 'CEL COST', 'PLACE'] as const;

/** The outcome as a table: a row a definition, a row an object. */
export function evaluationTable({ definitions, items }: EvaluationOutcome, view: EvaluationView): string {
  const rows: (readonly string[])[] = [
    HEADINGS,
    ...definitions.map((one) => [
      one.accepted ? 'accepted' : 'rejected',
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
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => [...(row[column] ?? '')].length)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - [...cell].length))
      .join('  ')
      .trimEnd(),
  );
  return `${lines.join('\n')}\n`;
}
