export { chartSchema } from './chart.ts';
export type { Chart, ChartOf, Role, Unit } from './chart.ts';
export { chartData } from './chart-data.ts';
export type { ChartData } from './chart-data.ts';
export { chartFigure } from './chart-figure.ts';
export type { FigurePlace } from './chart-figure.ts';
export { keyEntries } from './chart-key.ts';
export type { KeyEntry } from './chart-key.ts';
export { draw } from './draw/draw.ts';
export type { ChartNames, Width } from './draw/frame.ts';
export { drawableCharts, plotted } from './drawable.ts';
export {
  bytesText,
  countedText,
  countText,
  figureText,
  fixedText,
  growthText,
  megabytesText,
  NOT_MEASURED,
  rangeText,
  shareText,
  timesText,
  timeText,
} from './figure-text.ts';
export { Markup, markup, prose } from './markup.ts';
export type { Content } from './markup.ts';
export { pageFrame } from './page-frame.ts';
export type { PageFrame } from './page-frame.ts';
export { PAGE_STYLE } from './page-style.ts';
export { standaloneChart } from './standalone.ts';
export { tableMarkup } from './table.ts';
export type { PageTable } from './table.ts';
export { VERDICTS } from './verdict.ts';
