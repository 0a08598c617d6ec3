import { PICTURE_FONTS } from '../cost-picture/picture-colors.ts';

/**
 * Colours of pages and charts by name, for the light and the dark theme. Some names are roles of data in charts, such as `assay` or
 * `reference`. The OKLab distances and the contrasts of these colours were checked, also for colour-blind readers.
 */
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

/** CSS variables of both themes for a page. The reader's system selects the theme, unless `#theme-light` or `#theme-dark` is checked. */
export const PAGE_COLORS = [
  `:root{${variables(0)};color-scheme:light}`,
  `@media(prefers-color-scheme:dark){:root{${variables(1)};color-scheme:dark}}`,
  `:root:has(#theme-light:checked){${variables(0)};color-scheme:light}`,
  `:root:has(#theme-dark:checked){${variables(1)};color-scheme:dark}`,
].join('\n');

/** Fonts of the page and of self-contained drawings. */
export const FONTS = PICTURE_FONTS.text;

/** Style element with the colours of the page for a self-contained drawing. The drawing follows the theme of the reader's system. */
export const DRAWING_STYLE = `<style>:root{${variables(0)}}@media(prefers-color-scheme:dark){:root{${variables(1)}}}svg{background:var(--paper)}</style>`;
