import { escapedMarkup } from '#cost-picture';

/** A piece of a page in which everything foreign is escaped. Made by {@link markup}, or of text that is one's own. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Content between pieces of markup: text, which is escaped, and markup, which is not. */
export type Content = string | number | Markup | readonly Markup[];

/** Makes a piece of a page: ``markup`<td>${name}</td>` ``. It escapes texts wherever they stand, so that a definition cannot command a page. */
export function markup(pieces: TemplateStringsArray, ...contents: readonly Content[]): Markup {
  return new Markup(pieces.reduce((text, piece, i) => text + piece + (i < contents.length ? textOf(contents[i] as Content) : ''), ''));
}

function textOf(content: Content): string {
  if (content instanceof Markup) return content.text;
  return typeof content === 'object' ? content.map(({ text }) => text).join('') : escapedMarkup(String(content));
}

/** Returns prose as markup: text between back-ticks becomes code. */
export function prose(text: string): Markup {
  return markup`${text.split('`').map((part, i) => (i % 2 === 1 ? markup`<code>${part}</code>` : markup`${part}`))}`;
}
