import type { JSX } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { layOutCurves } from '../benchmark/curve.ts';
import type { CurveChart, CurveDrawing, DrawingForm, DrawnLine, PlacedText } from '../benchmark/curve.ts';

/** Properties of a drawing of curves, with its labels. */
export interface CurveFigureProps extends Omit<DrawingForm, 'width'> {
  readonly chart: CurveChart;
  /** Title of the drawing: the finding in one sentence. */
  readonly title: string;
  readonly xLabel: string;
  readonly yLabel: string;
  /** Functions that format the figures in the table. */
  readonly xCell: (x: number) => string;
  readonly yCell: (y: number) => string;
  /** Name of the band; absent if the drawing has no band. */
  readonly bandName?: string;
}

/** Minimum and maximum width of a drawing, in px. */
const [MIN_WIDTH, MAX_WIDTH] = [280, 760] as const;

/** Style sheet of the drawings of curves. Its colours are the variables of the page's themes. */
const CURVE_STYLE = `
.curve{display:block;font:12px system-ui,sans-serif;overflow:visible}
.curve text{fill:var(--muted);paint-order:stroke;stroke:var(--ground);stroke-width:3px;stroke-linejoin:round}
.curve .axis{stroke:var(--line);fill:none}
.curve .grid{stroke:var(--line);stroke-opacity:.55}
.curve .limit{stroke:var(--text);stroke-dasharray:6 4}
.curve .limit-label{fill:var(--text)}
.curve .bound{stroke:var(--muted);stroke-dasharray:2 3}
.curve .band{fill:var(--muted);fill-opacity:.22}
.curve .line{fill:none;stroke-width:2}
.curve .line.present,.curve-key .present{stroke:var(--ours)}
.curve .line.older,.curve-key .older{stroke:var(--warn);stroke-dasharray:7 4}
.curve .line.slower,.curve-key .slower{stroke:var(--good);stroke-dasharray:2 4}
.curve .dot.present{fill:var(--ours)}
.curve .dot.older{fill:var(--ground);stroke:var(--warn);stroke-width:1.5}
.curve .dot.slower{fill:var(--good)}
.curve-key{display:flex;flex-wrap:wrap;gap:.2rem 1.2rem;list-style:none;margin:.3rem 0 0;padding:0;font-size:.87rem;color:var(--muted)}
.curve-key svg{vertical-align:middle;margin-right:.4rem}
.curve-key path{stroke-width:2;fill:none}
.curve-key .band{fill:var(--muted);fill-opacity:.4;stroke:none}
@media(forced-colors:active){.curve .line,.curve-key path{stroke:CanvasText!important}.curve text{fill:CanvasText;stroke:Canvas}}`;

/**
 * Draws curves on two logarithmic axes, as wide as the enclosing element up to a maximum. A legend and a table of the plotted values
 * follow.
 */
export function CurveFigure(props: CurveFigureProps): JSX.Element | null {
  const { chart, title, xLabel, yLabel, xText, yText, bandName } = props;
  const host = useRef<HTMLDivElement>(null);
  const width = useWidth(host);
  const id = useId();
  const drawing = layOutCurves(chart, { width, xText, yText });
  return (
    <figure class="curve-figure">
      <h2 id={id}>{title}</h2>
      <div ref={host}>{drawing && <Drawing drawing={drawing} labelledBy={id} xLabel={xLabel} yLabel={yLabel} />}</div>
      {(chart.lines.length > 1 || bandName !== undefined) && (
        <ul class="curve-key">
          {chart.lines.map(({ name, role }) => (
            <KeyEntry key={role} name={name} role={role} />
          ))}
          {bandName !== undefined && <KeyEntry name={bandName} role="band" />}
        </ul>
      )}
      <details>
        <summary>Figures</summary>
        <FigureTable {...props} />
      </details>
    </figure>
  );
}

/** Returns the width in px that a drawing in an element may have. The component is rendered again if the width changes. */
function useWidth(host: { readonly current: HTMLElement | null }): number {
  const [width, setWidth] = useState<number>(MIN_WIDTH);
  useEffect(() => {
    if (host.current === null) return undefined;
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined) setWidth(Math.round(Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, entry.contentRect.width))));
    });
    observer.observe(host.current);
    return () => observer.disconnect();
  }, []);
  return width;
}

const Label = ({ label: { text, x, y, anchor }, kind }: { readonly label: PlacedText; readonly kind?: string }): JSX.Element => (
  <text x={x} y={y} text-anchor={anchor} class={kind}>
    {text}
  </text>
);

function Drawing({
  drawing: { width, height, plot, xTicks, yTicks, lines, band, horizontals, verticals },
  labelledBy,
  xLabel,
  yLabel,
}: {
  readonly drawing: CurveDrawing;
  readonly labelledBy: string;
  readonly xLabel: string;
  readonly yLabel: string;
}): JSX.Element {
  const { left, right, top, bottom } = plot;
  return (
    <>
      <p class="muted">{yLabel}</p>
      <svg class="curve" role="img" aria-labelledby={labelledBy} width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
        {yTicks.map((tick) => (
          <path key={tick.text} class="grid" d={`M${left},${tick.y - 4}H${right}`} />
        ))}
        {band !== undefined && <path class="band" d={band} />}
        <path class="axis" d={`M${left},${top}V${bottom}H${right}`} />
        {horizontals.map(({ y, label }) => (
          <path key={label.text} class="limit" d={`M${left},${y}H${right}`} />
        ))}
        {verticals.map(({ x, label }) => (
          <path key={label.text} class="bound" d={`M${x},${top}V${bottom}`} />
        ))}
        {lines.map(({ role, path, dots }) => (
          <g key={role}>
            <path class={`line ${role}`} d={path} />
            {dots.map(({ x, y }) => (
              <circle key={x} class={`dot ${role}`} cx={x} cy={y} r={3} />
            ))}
          </g>
        ))}
        {[...xTicks, ...yTicks, ...verticals.map(({ label }) => label)].map((label) => (
          <Label key={`${label.anchor} ${label.text}`} label={label} />
        ))}
        {horizontals.map(({ label }) => (
          <Label key={label.text} label={label} kind="limit-label" />
        ))}
        <Label label={{ text: xLabel, x: right, y: height - 6, anchor: 'end' }} />
      </svg>
    </>
  );
}

const KeyEntry = ({ name, role }: { readonly name: string; readonly role: DrawnLine['role'] | 'band' }): JSX.Element => (
  <li>
    <svg width="26" height="10" aria-hidden="true">
      <path class={role} d={role === 'band' ? 'M0,0H26V10H0Z' : 'M0,5H26'} />
    </svg>
    {name}
  </li>
);

/** Shows the figures of a drawing as a table with one row for each size. */
function FigureTable({ chart: { lines, band }, title, xLabel, xCell, yCell, bandName }: CurveFigureProps): JSX.Element {
  const sizes = [...new Set(lines.flatMap(({ points }) => points.map(({ x }) => x)))].toSorted((a, b) => a - b);
  const valueAt = ({ points }: DrawnLine, size: number): string => {
    const point = points.find(({ x }) => x === size);
    return point === undefined ? '–' : yCell(point.y);
  };
  const bandAt = (size: number): string => {
    const part = band?.find(({ x }) => x === size);
    return part === undefined ? '–' : `${yCell(part.lo)} to ${yCell(part.hi)}`;
  };
  return (
    <div class="scrolled" tabIndex={0} role="region" aria-label={`Figures: ${title}`}>
      <table>
        <thead>
          <tr>
            <th scope="col">{xLabel}</th>
            {lines.map(({ role, name }) => (
              <th key={role} scope="col">
                {name}
              </th>
            ))}
            {bandName !== undefined && <th scope="col">{bandName}</th>}
          </tr>
        </thead>
        <tbody>
          {sizes.map((size) => (
            <tr key={size}>
              <th scope="row">{xCell(size)}</th>
              {lines.map((line) => (
                <td key={line.role}>{valueAt(line, size)}</td>
              ))}
              {bandName !== undefined && <td>{bandAt(size)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Style of the tab *Benchmark*, which is loaded together with the tab. */
export const BENCHMARK_STYLE = `${CURVE_STYLE}
.rule-choice{border:1px solid var(--line);border-radius:6px;margin:0;padding:.3rem .6rem .5rem;min-width:0}
.rule-choice legend{color:var(--muted);font-size:.87rem;padding:0 .3rem}
.rule-choice>div{max-height:13rem;overflow-y:auto}
.rule-choice label{display:flex;gap:.6rem;align-items:flex-start;padding:.25rem .2rem;border-radius:4px;cursor:pointer}
.rule-choice label:has(:checked){background:light-dark(#12409e14,#8fb4ff1f)}
.rule-choice input{min-height:auto;margin:.25rem 0 0;flex:none}
.rule-choice span{min-width:0}
.rule-choice code{overflow-wrap:anywhere}
.rule-choice small{display:block;color:var(--muted);overflow-wrap:anywhere}
.curve-figure{margin:.6rem 0}
.curve-figure h2,.found li,.change{overflow-wrap:anywhere}
.curve-figure details{margin-top:.3rem}
.found{margin:.4rem 0;padding-left:1.2rem;display:grid;gap:.2rem}
.change{border-left:3px solid var(--warn);padding:.3rem .6rem;margin:.4rem 0}
.benchmark-line{display:flex;flex-wrap:wrap;gap:.4rem .8rem;align-items:center;min-height:1.6rem}`;
