import { NOT_MEASURED } from '#numbers';
import { escapedMarkup } from '../cost-picture/markup.ts';

/**
 * Fragment of an HTML page, in which text from outside the project is escaped. A fragment is created by {@link markup}, or from the
 * project's own text.
 */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Content that is inserted into markup. Text is escaped, and markup is not. */
export type Content = string | number | Markup | readonly Markup[];

/**
 * Creates a fragment of a page: ``markup`<td>${name}</td>` ``. All inserted texts are escaped, so that the text of a definition cannot
 * inject markup into a page.
 */
export function markup(pieces: TemplateStringsArray, ...contents: readonly Content[]): Markup {
  return new Markup(pieces.reduce((text, piece, i) => text + piece + (i < contents.length ? textOf(contents[i] as Content) : ''), ''));
}

function textOf(content: Content): string {
  if (content instanceof Markup) return content.text;
  return typeof content === 'object' ? content.map(({ text }) => text).join('') : escapedMarkup(String(content));
}

/** Returns prose as markup. Text between back-ticks becomes a code element. */
export function prose(text: string): Markup {
  return markup`${text.split('`').map((part, i) => (i % 2 === 1 ? markup`<code>${part}</code>` : markup`${part}`))}`;
}

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

/** Markup for each result of checking a claim: a symbol and words, for a page with `PAGE_STYLE`. */
export const VERDICTS: Readonly<Record<'holds' | 'fails' | 'in part' | 'undecided' | 'not measured', Markup>> = {
  holds: markup`<span class="verdict holds">✓ holds</span>`,
  fails: markup`<span class="verdict fails">✗ fails</span>`,
  'in part': markup`<span class="verdict part">◐ in part</span>`,
  undecided: markup`<span class="verdict undecided">? undecided</span>`,
  'not measured': markup`<span class="verdict undecided">– not measured</span>`,
};
