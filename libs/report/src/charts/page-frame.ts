import { Markup, markup } from './markup.ts';
import type { Content } from './markup.ts';
import { THEME_CHOICE } from './page-style.ts';

/** Contents that {@link pageFrame} inserts into a page with charts. */
export interface PageFrame {
  readonly title: string;
  /** Content of the page's only style sheet: {@link PAGE_STYLE}, and rules that only this page needs. */
  readonly style: string;
  /** Additional elements of the page head, such as a content security policy. */
  readonly meta?: Markup;
  /** Target of the link that skips to the main section: the section's id and its name. */
  readonly skip: readonly [id: string, name: string];
  /** Name of the page in the top line, beside the choice of the theme. */
  readonly above: string;
  readonly headline: Content;
  /** Introduction below the headline. */
  readonly lead: Content;
  readonly main: Content;
  readonly footer: Content;
}

/** Returns a complete HTML page that contains no script and loads no other resource. */
export function pageFrame({ title, style, meta = markup``, skip: [id, name], above, headline, lead, main, footer }: PageFrame): string {
  return markup`<!doctype html>
<html lang="en"><head><meta charset="utf-8">${meta}<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="referrer" content="no-referrer">
<title>${title}</title><style>${new Markup(style)}</style></head>
<body><a class="skip" href="#${id}">Skip to ${name}</a>
<header><div class="top"><span>${above}</span>${THEME_CHOICE}</div>
<h1>${headline}</h1>
${lead}</header>
<main>${main}</main>
<footer><p>${footer}</p></footer>
</body></html>
`.text;
}
