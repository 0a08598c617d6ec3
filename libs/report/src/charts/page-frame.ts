import { Markup, markup } from './markup.ts';
import type { Content } from './markup.ts';
import { COLORS, FONTS, PAGE_COLORS } from './theme.ts';

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

const themeInput = (name: string, checked = markup``): Markup =>
  markup`<label><input type="radio" name="theme" id="theme-${name}"${checked}><span>${name}</span></label>`;

/** Form in which readers choose the colour theme of a page. It works without a script. */
const THEME_CHOICE = markup`<fieldset><legend>Colour theme</legend>${themeInput('auto', markup` checked`)}${themeInput('light')}${themeInput('dark')}</fieldset>`;

/**
 * Style sheet of pages with charts. It covers light and dark themes, wide and phone windows, print, and forced colours. It is a constant,
 * so that a content security policy can contain its hash.
 */
export const PAGE_STYLE = `${PAGE_COLORS}
*{box-sizing:border-box}
html{scroll-behavior:smooth}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.55 ${FONTS};-webkit-text-size-adjust:100%}
header,main,footer{max-width:824px;margin:0 auto;padding:0 32px}
header{padding-top:26px}
h1{font-size:30px;line-height:1.2;letter-spacing:-.01em;margin:18px 0 10px;text-wrap:balance}
h2{font-size:22px;line-height:1.25;margin:0 0 6px;text-wrap:balance}
h3{font-size:17px;line-height:1.3;margin:0 0 4px;text-wrap:balance}
p{margin:0 0 10px}
a{color:var(--assay)}
:focus-visible{outline:2px solid var(--assay);outline-offset:2px}
code{font-family:ui-monospace,SFMono-Regular,Menlo,monospace;font-size:.88em;background:var(--panel);padding:1px 4px;border-radius:4px;overflow-wrap:anywhere}
.skip{position:absolute;left:-999px}.skip:focus{left:8px;top:8px;background:var(--paper);padding:8px}
.top{display:flex;justify-content:space-between;gap:16px;flex-wrap:wrap;color:var(--muted);font-size:14px}
fieldset{border:0;margin:0;padding:0;display:flex;gap:2px}
legend{position:absolute;left:-999px}
fieldset label{cursor:pointer}
fieldset input{position:absolute;opacity:0}
fieldset span{padding:2px 8px;border-radius:6px}
fieldset input:checked+span{background:var(--panel);color:var(--ink)}
fieldset input:focus-visible+span{outline:2px solid var(--assay)}
.lead{font-size:18px;color:var(--muted)}
.trust{border-left:4px solid var(--good);background:var(--panel);padding:10px 14px;border-radius:0 8px 8px 0;font-size:15px}
.trust.doubt{border-color:var(--shipped)}.trust.broken{border-color:var(--bad)}
section{margin:44px 0 0;border-top:1px solid var(--grid);padding-top:24px}
.chart{margin:26px 0 0}
.sub{color:var(--muted);font-size:15px;margin:0 0 6px}
.read,.not{font-size:15px}
.not{color:var(--muted)}
.not b{font-weight:600}
svg{display:block;max-width:100%;height:auto;font-family:inherit;font-size:12px;overflow:visible}
.scroll svg{max-width:none}
.narrow{display:none}
.key{list-style:none;display:flex;flex-wrap:wrap;gap:2px 16px;margin:2px 0 6px;padding:0;font-size:14px;color:var(--muted)}
.key i{display:inline-block;width:11px;height:11px;border-radius:3px;margin-right:6px}
${Object.keys(COLORS)
  .map((name) => `.key .${name}{background:var(--${name})}`)
  .join('')}
details{font-size:15px;margin:6px 0}summary{cursor:pointer;color:var(--muted)}
.scroll{overflow-x:auto}
table{border-collapse:collapse;font-size:14px;font-variant-numeric:tabular-nums;margin:8px 0;width:100%}
th,td{text-align:left;padding:5px 10px 5px 0;border-bottom:1px solid var(--grid);vertical-align:top}
thead th{color:var(--muted);font-weight:600;border-bottom-color:var(--faint)}
caption{text-align:left;font-weight:600;padding:6px 0}
td.figure,th.figure{text-align:right}
.verdict{white-space:nowrap;font-weight:600}
.holds{color:var(--good)}.fails{color:var(--bad)}.part{color:var(--shipped)}.undecided{color:var(--muted)}
dl{display:grid;grid-template-columns:max-content 1fr;gap:2px 18px;font-size:15px}dt{color:var(--muted)}dd{margin:0;overflow-wrap:anywhere}
footer{padding:34px 32px 60px;color:var(--muted);font-size:14px}
@media(max-width:640px){
header,main,footer{padding-left:16px;padding-right:16px}
h1{font-size:24px}h2{font-size:19px}h3{font-size:16px}.lead{font-size:16px}
.wide{display:none}.narrow{display:block;margin:0 -4px}
}
@media print{.skip,fieldset,nav{display:none}.chart{break-inside:avoid}}
@media(forced-colors:active){svg{forced-color-adjust:none;background:#fff}}
`;
