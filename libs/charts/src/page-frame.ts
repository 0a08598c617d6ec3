import { Markup, markup } from './markup.ts';
import type { Content } from './markup.ts';
import { THEME_CHOICE } from './page-style.ts';

/** A page with charts, part by part. */
export interface PageFrame {
  readonly title: string;
  /** The one style sheet: {@link PAGE_STYLE}, and what the page needs beyond it. */
  readonly style: string;
  /** More of the head, such as a policy. */
  readonly meta?: Markup;
  /** The section to which readers may skip, by its id, and its name. */
  readonly skip: readonly [id: string, name: string];
  /** Names the page, beside the choice of its theme. */
  readonly above: string;
  readonly headline: Content;
  /** Below the headline. */
  readonly lead: Content;
  readonly main: Content;
  readonly footer: Content;
}

/** Returns a whole page without script or request. */
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
