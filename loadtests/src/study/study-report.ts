import { median, timeGrowth } from '#benchmark';
import type { TimeGrowth } from '#benchmark';
import { growthText, NOT_MEASURED, plotted } from '#charts';
import type { Chart, ChartOf, Role } from '#charts';
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

/** Returns the cases of a line. */
export const casesOf = (cases: readonly CaseFigures[], line: string): CaseFigures[] => cases.filter((one) => one.line === line);

/** Returns the median time of a case, ms; undefined if it was not measured. */
export const timeOf = ({ times }: CaseFigures, what: string): number | undefined => median(times[what] ?? []);

/** Returns the median throughput of a case, a second; undefined if it was not measured. */
export const rateOf = ({ rates = {} }: CaseFigures, what = 'rate'): number | undefined => median(rates[what] ?? []);

/** Returns an exact figure that is a number; undefined if it was not measured. */
export function numberOf({ facts }: CaseFigures, name: string): number | undefined {
  const fact = facts[name];
  return typeof fact === 'number' ? fact : undefined;
}

/** An interval needs so many samples of each size. */
const LEAST_SAMPLES = 5;

/** Growth of time with the size, and its 95 % interval. */
export type Growth = Extract<TimeGrowth, { readonly kind: 'grows' }>;

/** Returns the growth of a time; undefined if it is flat, too short for a clock, or of too few sizes or samples. */
export function growthOf(cases: readonly CaseFigures[], what: string): Growth | undefined {
  const points = cases.map(({ size, times }) => ({ size, samples: times[what] ?? [] }));
  const growth = timeGrowth(
    points.filter(({ samples }) => samples.length >= LEAST_SAMPLES),
    seededRandom(1),
  );
  return growth.kind === 'grows' ? growth : undefined;
}

/** A line of a chart. */
export interface DrawnLine {
  readonly name: string;
  readonly role: Role;
  readonly cases: readonly CaseFigures[];
  /** The figure drawn: times, throughput, or a number among the exact figures. */
  readonly what: string;
}

/** Returns the exponents of lines with their intervals, for a sentence. */
export const growthsText = (lines: readonly Omit<DrawnLine, 'role'>[]): string =>
  lines
    .flatMap(({ name, cases, what }) => {
      const growth = growthOf(cases, what);
      return growth ? [`${name} ${growthText(growth.exponent)} [${growth.lo.toFixed(2)}, ${growth.hi.toFixed(2)}]`] : [];
    })
    .join(', ') || NOT_MEASURED;

/** A chart along a size. */
export interface GrowthChart extends Omit<ChartOf<'scaling'>, 'kind' | 'series' | 'y' | 'title'> {
  /** Default: time. */
  readonly y?: ChartOf<'scaling'>['y'];
  /** The title, or what grows with what: the exponent of the first line stands between them. */
  readonly title: string | readonly [what: string, size: string];
  readonly lines: readonly DrawnLine[];
  /** Lines that end before this size are drawn on dotted, as their growth has it. */
  readonly until?: number;
}

/** Draws lines along a size: medians of times or of throughput, or exact figures. */
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

/** Returns the points of a line that were measured. Throughput has bars from the slowest round to the fastest. */
export const pointsOf = ({ cases, what }: Pick<DrawnLine, 'cases' | 'what'>) =>
  plotted(
    cases.map((one) => {
      const bars = extent(one.rates?.[what] ?? []);
      return { x: one.size, y: timeOf(one, what) ?? rateOf(one, what) ?? numberOf(one, what), lo: bars?.least, hi: bars?.most };
    }),
  );

/** Returns the gate that something is true of all cases; not measured without a case. */
export const allGate = <T>(name: string, measure: Gate['measure'], cases: readonly T[], holds: (one: T) => boolean): Gate =>
  equalGate(name, measure, 'true', cases.length === 0 ? undefined : String(cases.every(holds)));

/** Returns the gate that each unit of size costs the same at all sizes. One figure alone has nothing to be the same as. */
export function sameCostGate(name: string, cases: readonly CaseFigures[]): Gate {
  const costs = cases.flatMap((one) => quotient(numberOf(one, 'cost'), one.size) ?? []);
  return allGate(name, 'cost units', costs.length < 2 ? [] : costs, (cost) => cost > 0 && cost === costs[0]);
}

/** The conclusions of a study. Gates of expected figures are added to it. Without cells of its own, it has those of all times. */
export interface Conclusions extends Omit<Findings, 'finding'> {
  /** Parts of the answer; undefined where there is nothing to say. */
  readonly finding: readonly (string | undefined)[];
}

/** An experiment that measures lines. */
export interface Study {
  readonly name: string;
  readonly question: string;
  readonly lines: readonly Line[];
  readonly conclude: (cases: readonly CaseFigures[]) => Conclusions;
  /** Measures the study. Without it, the lines are measured. */
  readonly measure?: (lab: Lab) => Promise<readonly CaseFigures[]>;
}

/** Makes a study an experiment. */
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

/** Measures of exact figures that are no verdicts. */
const MEASURES: Readonly<Record<string, Gate['measure']>> = {
  cost: 'cost units',
  'the limit stops the first list above it': 'cost units',
  'the estimate is not exceeded': 'cost units',
  'judged by': 'work done',
};

/** Returns a gate for each exact figure that must come out. */
const expectedGates = ({ name, expected }: Line, cases: readonly CaseFigures[]): Gate[] =>
  cases.flatMap(({ size, facts }) =>
    Object.entries(expected?.(size) ?? {}).map(([fact, wanted]) =>
      equalGate(`${name}, ${size}: ${fact}`, MEASURES[fact] ?? 'verdicts', wanted, facts[fact]),
    ),
  );

/** A claim that bounds a figure. */
export interface ClaimedFigure extends Pick<ReportClaim, 'claim'> {
  /** The document of the claim. Default: KEP-2876. */
  readonly source?: string;
  readonly system?: string;
  /** Undefined if it was not measured. */
  readonly figure: number | undefined;
  readonly found: (figure: number) => string;
  /** The most with which the claim holds, and with which it holds in part. */
  readonly holds: number;
  readonly inPart: number;
}

/** Returns the verdict on a claim that bounds a figure. */
export function boundClaim({ source = 'KEP-2876', system = 'Assay', claim, figure, found, holds, inPart }: ClaimedFigure): ReportClaim {
  if (figure === undefined) return { source, claim, system, found: NOT_MEASURED, verdict: 'not measured' };
  return { source, claim, system, found: found(figure), verdict: figure <= holds ? 'holds' : figure <= inPart ? 'in part' : 'fails' };
}

/** Returns a cell for all that was timed. */
export const timeCells = (cases: readonly CaseFigures[]): ReportCell[] =>
  cases.flatMap(({ line, size, times, rates = {} }) => [
    ...Object.entries(times).flatMap(([what, samples]) => medianCell({ id: `${line}/${size}/${what}`, unit: 'ms', samples })),
    ...Object.entries(rates).flatMap(([what, samples]) => medianCell({ id: `${line}/${size}/${what}`, unit: 'per second', samples })),
  ]);
