import { markup, PAGE_STYLE, tableMarkup } from '#report/charts';
import type { Markup } from '#report/charts';
import { shownInLine } from '#report';
import { placeInObjects } from '../../tracking/tracked-definition.ts';
import type { Fact } from './report-forms.ts';

/** Style sheet of the pages with measurements of an API server. */
export const STYLE = `${PAGE_STYLE}
h1,h2,h3,.sub,.read,.not,.lead{overflow-wrap:anywhere}td:not(.figure){min-width:9em;overflow-wrap:anywhere}td.figure{white-space:nowrap}
`;

/** Returns a paragraph that names what ended a measurement early. Returns empty markup if nothing did. */
export const earlyEndNote = (what: string, why: string | undefined): Markup =>
  why === undefined ? markup`` : markup`<p class="trust doubt">${what} ended early: ${shownInLine(why)}</p>`;

/** Returns facts as a list. Labels without texts are left out. */
export const factList = (facts: readonly Fact[]): Markup =>
  markup`<dl>${facts.map(([label, ...texts]) => (texts.length === 0 ? markup`` : markup`<dt>${label}</dt><dd>${texts.map((text) => markup`<div>${shownInLine(text)}</div>`)}</dd>`))}</dl>`;

/** Returns a table of texts. Columns without any text are left out. */
export function textTable(headings: readonly string[], rows: readonly (readonly string[])[]): Markup {
  const columns = [...headings.keys()].filter((i) => rows.some((row) => row[i] !== ''));
  return tableMarkup({
    title: '',
    columns: columns.map((i) => headings[i] ?? ''),
    rows: rows.map((row) => columns.map((i) => shownInLine(row[i] ?? ''))),
  });
}

/** Returns the field of a rule and its position there, such as `spec.rules[*] [0]`. Only the last `width` characters are kept. */
export function ruleLabel(path: string, width: number): string {
  const points = [...shownInLine(placeInObjects(path)).replace('x-kubernetes-validations', '').replaceAll('`', "'")];
  return points.length > width ? `…${points.slice(1 - width).join('')}` : points.join('');
}
