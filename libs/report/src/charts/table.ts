import { NOT_MEASURED } from '#numbers';
import { markup, prose } from './markup.ts';
import type { Markup } from './markup.ts';

/** Table of a page. A cell that is a string is prose, and its characters are escaped. A cell that is `Markup` is inserted unchanged. */
export interface PageTable {
  /** Caption of the table; may be empty. */
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | Markup)[])[];
}

const isFigure = (cell: string | Markup): boolean => typeof cell === 'string' && (/^[\d–−+≈<]/.test(cell) || cell === NOT_MEASURED);

/** Returns a table for a page, in a region that scrolls. Columns that contain only figures are aligned to the right. */
export function tableMarkup({ title, columns, rows }: PageTable): Markup {
  const numeric = columns.map((_, i) => rows.length > 0 && rows.every((row) => (row[i] ?? '') === '' || isFigure(row[i] ?? '')));
  const ofFigures = (i: number): Markup => (numeric[i] === true ? markup` class="figure"` : markup``);
  const shown = (cell: string | Markup): Markup => (typeof cell === 'string' ? prose(cell) : cell);
  const header = columns.map((column, i) => markup`<th scope="col"${ofFigures(i)}>${prose(column)}</th>`);
  const body = rows.map((row) => markup`<tr>${row.map((cell, i) => markup`<td${ofFigures(i)}>${shown(cell)}</td>`)}</tr>`);
  const caption = title === '' ? markup`` : markup`<caption>${prose(title)}</caption>`;
  return markup`<div class="scroll" tabindex="0" role="region" aria-label="${title === '' ? 'Figures' : title}"><table>${caption}<thead><tr>${header}</tr></thead><tbody>${body}</tbody></table></div>`;
}
