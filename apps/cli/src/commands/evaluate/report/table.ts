import { shownText } from '#report';
import type { EvaluationOutcome } from '../../../evaluation/evaluate.ts';
import { OUTCOME_WORDS, placeText } from '../../../report/words.ts';
import type { DocumentReports, EvaluationReport, EvaluationView } from './report.ts';

const HEADINGS = ['OUTCOME', 'NAME', 'CEL COST', 'PLACE'] as const;

/**
 * Report as a table with one row per definition and one row per object. All rows are collected first, because the widest cell determines the
 * width of a column.
 */
export class TableReport implements EvaluationReport {
  readonly #rows: (readonly string[])[] = [];

  open({ definitions }: DocumentReports): string {
    for (const one of definitions)
      this.#rows.push([one.accepted ? 'accepted' : 'refused', `CustomResourceDefinition ${JSON.stringify(one.name)}`, '', placeText(one)]);
    return '';
  }

  items(items: EvaluationOutcome['items'], view: EvaluationView): string {
    for (const item of items)
      if (!(view.quiet && item.outcome === 'accepted'))
        this.#rows.push([
          OUTCOME_WORDS[item.outcome],
          view.nameOf(item),
          item.cost === undefined ? '' : String(item.cost.cel),
          placeText(item),
        ]);
    return '';
  }

  close(): string {
    return shownText(tableOf(this.#rows));
  }
}

/** Returns a table as text, with the headings above the rows and all columns aligned. */
function tableOf(rows: readonly (readonly string[])[]): string {
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
