import { PICTURE_FONTS } from '#cost-picture';

/** The colours of pages and charts by name, light and dark. Smallest OKLab distances and contrasts were checked for the roles, also as colour-blind readers see them. */
export const COLORS: Readonly<Record<string, readonly [light: string, dark: string]>> = {
  paper: ['#ffffff', '#14171c'],
  ink: ['#1b1f24', '#e8ebef'],
  muted: ['#57606a', '#a3adb8'],
  faint: ['#b6bec7', '#454d57'],
  grid: ['#e7eaee', '#272d35'],
  panel: ['#f5f7f9', '#1b2027'],
  assay: ['#12409e', '#6a9bff'],
  shipped: ['#c75000', '#e8803a'],
  reference: ['#1b1f24', '#ffe066'],
  experiment: ['#a95fd0', '#be8fd0'],
  peer: ['#2a9463', '#7fe8cf'],
  claim: ['#8a94a0', '#8a94a0'],
  good: ['#1a7f42', '#5ad07f'],
  bad: ['#b3261e', '#ff8f85'],
};

const variables = (shade: 0 | 1): string =>
  Object.entries(COLORS)
    .map(([name, shades]) => `--${name}:${shades[shade]}`)
    .join(';');

/** The variables of both themes for a page: by the reader's system, unless `#theme-light` or `#theme-dark` is checked. */
export const PAGE_COLORS = [
  `:root{${variables(0)};color-scheme:light}`,
  `@media(prefers-color-scheme:dark){:root{${variables(1)};color-scheme:dark}}`,
  `:root:has(#theme-light:checked){${variables(0)};color-scheme:light}`,
  `:root:has(#theme-dark:checked){${variables(1)};color-scheme:dark}`,
].join('\n');

/** The fonts of the page, and of drawings that stand alone. */
export const FONTS = PICTURE_FONTS.text;

/** The colours and fonts of the page for a drawing that stands alone, and follows the theme of its reader. */
export const DRAWING_STYLE = `<style>:root{${variables(0)}}@media(prefers-color-scheme:dark){:root{${variables(1)}}}svg{background:var(--paper)}</style>`;
