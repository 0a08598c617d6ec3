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
