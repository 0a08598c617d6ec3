import { median, timeGrowth } from '#benchmark';
import type { TimeGrowth } from '#benchmark';
import { growthText, NOT_MEASURED } from '#numbers';
import { measuredPoints } from '#report/charts';
import type { Chart, ChartOf, ChartRole } from '#report/charts';
import type { Experiment, Findings } from '../experiments/experiment.ts';
import type { Lab } from '../lab.ts';
import { seededRandom } from '../../../testing/seeded-random.ts';
import { extent, quotient } from '../measure/quotient.ts';
import { equalGate } from '../result/gates.ts';
import { medianCell } from '../result/report-cell.ts';
import { sentence } from '../result/sentence.ts';
import type { Gate, ReportCell, ReportClaim } from '../result/summary.ts';
import { measureLines } from './study.ts';
import type { CaseFigures, Line } from './study.ts';

/** Returns the cases of a line: its measurements at the different sizes. */
export const casesOf = (cases: readonly CaseFigures[], line: string): CaseFigures[] => cases.filter((one) => one.line === line);

/** Returns the median time of a case in ms; undefined if the time was not measured. */
export const timeOf = ({ times }: CaseFigures, what: string): number | undefined => median(times[what] ?? []);

/** Returns the median throughput of a case per second; undefined if it was not measured. */
export const rateOf = ({ rates = {} }: CaseFigures, what = 'rate'): number | undefined => median(rates[what] ?? []);

/** Returns a numeric fact of a case; undefined if it was not measured or is not a number. */
export function numberOf({ facts }: CaseFigures, name: string): number | undefined {
  const fact = facts[name];
  return typeof fact === 'number' ? fact : undefined;
}

/** Minimum number of samples of a size. Sizes with fewer samples do not count for the growth. */
const MIN_SAMPLES = 5;

/** Growth of time with the size, as an exponent with its 95 % confidence interval. */
export type Growth = Extract<TimeGrowth, { readonly kind: 'grows' }>;

/**
 * Returns the growth of a time (`what`) with the size, as an exponent. Returns undefined if the time does not grow, is too short for the
 * clock, or has too few sizes or samples.
 */
export function growthOf(cases: readonly CaseFigures[], what: string): Growth | undefined {
  const points = cases.map(({ size, times }) => ({ size, samples: times[what] ?? [] }));
  const growth = timeGrowth(
    points.filter(({ samples }) => samples.length >= MIN_SAMPLES),
    seededRandom(1),
  );
  return growth.kind === 'grows' ? growth : undefined;
}

/** Data of a line in a chart. */
export interface DrawnLine {
  readonly name: string;
  readonly role: ChartRole;
  readonly cases: readonly CaseFigures[];
  /** Name of the figure to draw: a time, a throughput, or a numeric fact. */
  readonly what: string;
}

/** Returns the growth exponents of lines with their confidence intervals, as text for a sentence. */
export const growthsText = (lines: readonly Omit<DrawnLine, 'role'>[]): string =>
  lines
    .flatMap(({ name, cases, what }) => {
      const growth = growthOf(cases, what);
      return growth ? [`${name} ${growthText(growth.exponent)} [${growth.lo.toFixed(2)}, ${growth.hi.toFixed(2)}]`] : [];
    })
    .join(', ') || NOT_MEASURED;

/** Options of a chart whose x axis is a size. */
export interface GrowthChart extends Omit<ChartOf<'scaling'>, 'kind' | 'series' | 'y' | 'title'> {
  /** Axis of the drawn figures; the default is time. */
  readonly y?: ChartOf<'scaling'>['y'];
  /** Title, or a pair of texts between which the exponent of the first line is inserted. */
  readonly title: string | readonly [what: string, size: string];
  readonly lines: readonly DrawnLine[];
  /** Size up to which shorter lines are extrapolated as dotted lines, according to their growth. */
  readonly until?: number;
}

/** Returns a chart of lines over a size: medians of times or throughput, or facts. */
export function growthChart({ lines, title, until = 0, y = { label: 'time', unit: 'ms' }, ...chart }: GrowthChart): Chart {
  const [first] = lines;
  const growth = first && growthOf(first.cases, first.what);
  const [what, size] = typeof title === 'string' ? [title] : title;
  return {
    kind: 'scaling',
    ...chart,
    y,
    title: size === undefined ? what : growth ? `${what} grows with ${growthText(growth.exponent)} of ${size}` : `${what}, by ${size}`,
    series: lines.map((line) => {
      const points = pointsOf(line);
      const [last, grown] = [points.at(-1), growthOf(line.cases, line.what)];
      const beyond = last && grown && last.x < until ? [{ x: until, y: last.y * (until / last.x) ** grown.exponent }] : [];
      return { name: line.name, role: line.role, points, ...(beyond.length > 0 && { extrapolated: beyond }) };
    }),
  };
}

/** Returns the measured points of a line. A throughput has error bars from the slowest to the fastest round. */
export const pointsOf = ({ cases, what }: Pick<DrawnLine, 'cases' | 'what'>) =>
  measuredPoints(
    cases.map((one) => {
      const bars = extent(one.rates?.[what] ?? []);
      return { x: one.size, y: timeOf(one, what) ?? rateOf(one, what) ?? numberOf(one, what), lo: bars?.least, hi: bars?.most };
    }),
  );

/** Returns a {@link Gate} that holds if `holds` returns true for every case. If there are no cases, the gate counts as not measured. */
export const allGate = <T>(name: string, measure: Gate['measure'], cases: readonly T[], holds: (one: T) => boolean): Gate =>
  equalGate(name, measure, 'true', cases.length === 0 ? undefined : String(cases.every(holds)));

/**
 * Returns a gate that holds if the cost per unit of size is the same at all sizes. The gate counts as not measured if there are fewer than
 * two figures.
 */
export function sameCostGate(name: string, cases: readonly CaseFigures[]): Gate {
  const costs = cases.flatMap((one) => quotient(numberOf(one, 'cost'), one.size) ?? []);
  return allGate(name, 'cost units', costs.length < 2 ? [] : costs, (cost) => cost > 0 && cost === costs[0]);
}

/**
 * Conclusions of a study. `studyOf` adds a gate for each expected fact. If the conclusions contain no cells, `studyOf` also adds a cell for
 * each time.
 */
export interface Conclusions extends Omit<Findings, 'finding'> {
  /** Parts of the answer to the study's question. A part is undefined if the measurements do not allow a statement about it. */
  readonly finding: readonly (string | undefined)[];
}

/** Experiment that measures several lines. Each line has measurements at several sizes. */
export interface Study {
  readonly name: string;
  readonly question: string;
  readonly lines: readonly Line[];
  readonly conclude: (cases: readonly CaseFigures[]) => Conclusions;
  /** Measures the figures of the study; by default measures all lines. */
  readonly measure?: (lab: Lab) => Promise<readonly CaseFigures[]>;
}

/**
 * Converts a study into an experiment. Its findings have a gate for each expected fact, and a cell for each time unless the study itself
 * returns cells.
 */
export const studyOf = ({
  name,
  question,
  lines,
  conclude,
  measure,
}: Study): Experiment<readonly CaseFigures[]> & Pick<Study, 'lines'> => ({
  name,
  question,
  lines,
  measure: measure ?? ((lab) => measureLines(lab, lines)),
  findings(cases) {
    const { finding, gates = [], cells = timeCells(cases), ...rest } = conclude(cases);
    return {
      ...rest,
      finding: sentence(finding),
      gates: [...lines.flatMap((line) => expectedGates(line, casesOf(cases, line.name))), ...gates],
      cells,
    };
  },
});

/** Units of the expected facts that are not verdicts, by name of the fact. */
const MEASURES: Readonly<Record<string, Gate['measure']>> = {
  cost: 'cost units',
  'the limit stops the first list above it': 'cost units',
  'the estimate is not exceeded': 'cost units',
  'judged by': 'work done',
};

/** Returns a gate for each fact with an expected value. */
const expectedGates = ({ name, expected }: Line, cases: readonly CaseFigures[]): Gate[] =>
  cases.flatMap(({ size, facts }) =>
    Object.entries(expected?.(size) ?? {}).map(([fact, wanted]) =>
      equalGate(`${name}, ${size}: ${fact}`, MEASURES[fact] ?? 'verdicts', wanted, facts[fact]),
    ),
  );

/** Claim that a figure does not exceed a limit. */
export interface ClaimedFigure extends Pick<ReportClaim, 'claim'> {
  /** Document that contains the claim. The default is KEP-2876. */
  readonly source?: string;
  readonly system?: string;
  /** Measured figure; undefined if it was not measured. */
  readonly figure: number | undefined;
  readonly found: (figure: number) => string;
  /** Highest figure for which the claim holds. `inPart` is the highest figure for which the claim holds in part. */
  readonly holds: number;
  readonly inPart: number;
}

/** Returns the verdict on a claim that a figure does not exceed a limit. */
export function boundClaim({ source = 'KEP-2876', system = 'Assay', claim, figure, found, holds, inPart }: ClaimedFigure): ReportClaim {
  if (figure === undefined) return { source, claim, system, found: NOT_MEASURED, verdict: 'not measured' };
  return { source, claim, system, found: found(figure), verdict: figure <= holds ? 'holds' : figure <= inPart ? 'in part' : 'fails' };
}

/** Returns a cell of the report for each measured time and rate. A cell contains the samples and their median. */
export const timeCells = (cases: readonly CaseFigures[]): ReportCell[] =>
  cases.flatMap(({ line, size, times, rates = {} }) => [
    ...Object.entries(times).flatMap(([what, samples]) => medianCell({ id: `${line}/${size}/${what}`, unit: 'ms', samples })),
    ...Object.entries(rates).flatMap(([what, samples]) => medianCell({ id: `${line}/${size}/${what}`, unit: 'per second', samples })),
  ]);
