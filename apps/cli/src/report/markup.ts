import { escapedMarkup } from '#cost-picture';

/** A piece of a page in which everything foreign is escaped. Made by {@link markup}, or of text that is one's own. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What stands between pieces of markup: text, which is escaped, and markup, which is not. */
type Content = string | number | Markup | readonly Markup[];

/** A piece of a page: ``markup`<td>${name}</td>` ``. Texts are escaped wherever they stand, so that a page cannot be commanded by a definition. */
export function markup(pieces: TemplateStringsArray, ...contents: readonly Content[]): Markup {
  return new Markup(pieces.reduce((text, piece, i) => text + piece + (i < contents.length ? textOf(contents[i] as Content) : ''), ''));
}

function textOf(content: Content): string {
  if (content instanceof Markup) return content.text;
  return typeof content === 'object' ? content.map(({ text }) => text).join('') : escapedMarkup(String(content));
}
