import { chartData } from './chart-data.ts';
import type { Chart } from './chart.ts';
import { draw } from './draw/draw.ts';
import type { Width } from './draw/frame.ts';
import { Markup, markup, prose, tableMarkup } from './markup.ts';

/** Settings for a chart's figure that depend on the page: the prefix of the ids, and the widths of the drawings. */
export interface FigurePlace {
  /** Prefix of all ids in the figure, before the chart's own id. It consists of letters, digits and hyphens. */
  readonly prefix: string;
  /**
   * Widths in which the chart is drawn. The style sheet shows the drawing that fits the window. If `wide` is the only width, the drawing
   * scrolls in narrow windows.
   */
  readonly widths: readonly Width[];
}

/**
 * Returns the figure of a chart for a page with {@link PAGE_STYLE}: title, legend, drawings, explanation and a table of the numbers. Only
 * charts of the kind `cloud` use inline styles, which a strict content security policy forbids.
 */
export function chartFigure(chart: Chart, { prefix, widths }: FigurePlace): Markup {
  const id = `${prefix}-${chart.id}`;
  const names = { labelledBy: `${id}-title`, describedBy: `${id}-reading` };
  const data = chartData(chart);
  const drawing = (width: Width): Markup => new Markup(compact(draw(chart, width, names)));
  const drawings =
    widths.length === 1
      ? widths.map(
          (width) => markup`<div class="scroll" tabindex="0" role="region" aria-labelledby="${names.labelledBy}">${drawing(width)}</div>`,
        )
      : widths.map((width) => markup`<div class="${width}">${drawing(width)}</div>`);
  return markup`<div class="chart" id="${id}"><h3 id="${names.labelledBy}">${prose(chart.title)}</h3><p class="sub">${prose(chart.subtitle)}</p>${chartKey(chart)}
${drawings}
<p class="read" id="${names.describedBy}">${prose(chart.reading)}</p><p class="not"><b>Not shown by this plot:</b> ${prose(chart.notShown)}</p>
${data.rows.length === 0 ? '' : markup`<details><summary>Figures</summary>${tableMarkup({ title: '', ...data })}</details>`}</div>`;
}

/** Shortens the SVG text of a drawing by a third. Removes the empty labels of ticks, and merges each row of ticks into one path. */
function compact(svg: string): string {
  return svg.replace(/<text [^>]*\/>/g, '').replace(/(?:<path d="M0,0L0,3"[^>]*\/>)+/g, (ticks) => {
    const places = [...ticks.matchAll(/translate\(([\d.]+,[\d.]+)\)/g)];
    return `<path d="${places.map(([, place]) => `M${place}v3`).join('')}" />`;
  });
}

/** Entry in the key of a chart: the name and colour of one series. */
export interface KeyEntry {
  readonly name: string;
  /** Name of the series colour in the theme. */
  readonly color: string;
}

/**
 * Returns the entries of a chart's key (legend): a name and a colour for each series, band and limit. A band is a shaded area of values
 * that the project claims. A limit is the highest acceptable ratio.
 */
export function keyEntries(chart: Chart): KeyEntry[] {
  switch (chart.kind) {
    case 'dots': {
      const series = new Map(chart.rows.flatMap(({ values }) => values.map((value) => [value.series, value.role] as const)));
      return [...series].map(([name, role]) => ({ name, color: role }));
    }
    case 'cloud':
      return chart.groups.map(({ name, role }) => ({ name, color: role }));
    case 'scaling':
      return [
        ...chart.series.map(({ name, role }) => ({ name, color: role })),
        ...(chart.bands ?? []).map(({ name }) => ({ name, color: 'claim' })),
      ];
    case 'steps':
      return chart.series.map(({ name, role }) => ({ name, color: role }));
    case 'changes':
      return [
        { name: `${chart.from} → ${chart.to}`, color: 'assay' },
        ...(chart.wanted === undefined
          ? []
          : [{ name: `the most wanted: ${((chart.wanted - 1) * 100).toFixed(0)} % more`, color: 'claim' }]),
      ];
  }
}

/**
 * Returns the key (legend) of a chart on a page. In a line chart, each line shows its own name, so the key names only the bands. A band is
 * a shaded area of values that the project claims.
 */
function chartKey(chart: Chart): Markup {
  const ofLines = chart.kind === 'scaling' || chart.kind === 'steps';
  const entries = keyEntries(chart).filter(({ color }) => !ofLines || color === 'claim');
  if (entries.length === 0) return markup``;
  return markup`<ul class="key">${entries.map(({ name, color }) => markup`<li><i class="${color}"></i>${name}</li>`)}</ul>`;
}
