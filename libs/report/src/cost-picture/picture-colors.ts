/** Fill colour of a box in a cost picture (drawing of a rule's cost by parts), and the colour of the text on the box. */
export interface Shade {
  readonly fill: string;
  readonly ink: string;
}

/** Colours of a cost picture (drawing of a rule's cost by parts) in the light or the dark theme. */
export interface PictureTheme {
  readonly paper: string;
  readonly ink: string;
  readonly muted: string;
  readonly edge: string;
  /** Shades of boxes, from the lowest to the highest own cost. */
  readonly shades: readonly [Shade, Shade, Shade, Shade, Shade];
}

/**
 * Colours of the light and the dark theme. Text has a contrast of at least 4.5 (WCAG 2.2 AA). Shades differ in lightness, so that people
 * who cannot see hues can distinguish them.
 */
export const PICTURE_THEMES: { readonly light: PictureTheme; readonly dark: PictureTheme } = {
  light: {
    paper: '#ffffff',
    ink: '#1b1f24',
    muted: '#57606a',
    edge: '#ffffff',
    shades: [
      { fill: '#eef2f6', ink: '#1b1f24' },
      { fill: '#f7d58f', ink: '#1b1f24' },
      { fill: '#ee9a3c', ink: '#1b1f24' },
      { fill: '#c75000', ink: '#ffffff' },
      { fill: '#6e3000', ink: '#ffffff' },
    ],
  },
  dark: {
    paper: '#14171c',
    ink: '#e8ebef',
    muted: '#a3adb8',
    edge: '#14171c',
    shades: [
      { fill: '#2b323c', ink: '#e8ebef' },
      { fill: '#5a4420', ink: '#ffe9c4' },
      { fill: '#8f4d12', ink: '#ffffff' },
      { fill: '#e8803a', ink: '#14171c' },
      { fill: '#ffd3a6', ink: '#14171c' },
    ],
  },
};

/**
 * Minimum cost at which a part of an expression is drawn in each colour shade, from the second shade on. The cost is the part's own cost as
 * a share of the total cost.
 */
export const SHADE_FROM: readonly number[] = [0.02, 0.1, 0.25, 0.5];

/** Returns the index, from 0, of the colour shade with which a part is drawn. `ownShare` is the part's own cost as a share of the total. */
export const shadeOf = (ownShare: number): number => SHADE_FROM.filter((from) => ownShare >= from).length;

/** Fonts of pictures and of the pages that contain them. They are fonts of the reader's system. */
export const PICTURE_FONTS = {
  text: "system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif",
  code: "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono','Liberation Mono',monospace",
} as const;

const variables = ({ paper, ink, muted, edge, shades }: PictureTheme): string =>
  [
    `--picture-paper:${paper}`,
    `--picture-ink:${ink}`,
    `--picture-muted:${muted}`,
    `--picture-edge:${edge}`,
    ...shades.flatMap((shade, i) => [`--picture-fill-${i}:${shade.fill}`, `--picture-on-${i}:${shade.ink}`]),
  ].join(';');

const rules = [
  `.cost-picture text{font-family:${PICTURE_FONTS.code}}`,
  '.cost-picture rect{stroke:var(--picture-edge);stroke-width:1}',
  ...[0, 1, 2, 3, 4].flatMap((i) => [
    `.cost-picture .shade-${i} rect{fill:var(--picture-fill-${i})}`,
    `.cost-picture .shade-${i} text{fill:var(--picture-on-${i})}`,
  ]),
  '@media(forced-colors:active){.cost-picture rect{fill:Canvas!important;stroke:CanvasText}.cost-picture text{fill:CanvasText!important}}',
];

/**
 * Style sheet for a page that contains pictures of rule costs. Its colours follow the reader's light or dark theme. It is a constant, so
 * that a content security policy can contain its hash.
 */
export const PICTURE_STYLE = [
  `:root{${variables(PICTURE_THEMES.light)}}`,
  `@media(prefers-color-scheme:dark){:root{${variables(PICTURE_THEMES.dark)}}}`,
  ...rules,
].join('\n');
