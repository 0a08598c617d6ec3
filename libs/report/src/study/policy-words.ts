import type { PolicyHelp, PolicySeries } from '#benchmark';
import { grouped, timeText } from '#numbers';

/** Returns the name of the part that grows: `bindings`, `variables (copies of images)`, `spec.containers`. */
export function seriesName({ grows, name, param }: PolicySeries): string {
  if (grows === 'bindings' || grows === 'parameters') return grows;
  if (grows === 'variables' || grows === 'matchConditions') return `${grows} (copies of ${name ?? ''})`;
  return `${name ?? ''}${grows === 'elements' ? '' : ` (${grows})`}${param === undefined ? '' : ` of parameter ${param}`}`;
}

/** Headings of a table of series, in the order of {@link seriesCells}. */
export const SERIES_HEADINGS = [
  'GROWS WITH',
  'COST',
  'TIME',
  'LARGEST JUDGED',
  'COSTS',
  'ON A SERVER',
  '100 MS FROM',
  '1 S FROM',
  'SERVER STOPS AFTER',
] as const;

/** Returns the cells of a series in a table: its name, exponents, largest size, and the sizes at which something happens. */
export function seriesCells(series: PolicySeries): readonly string[] {
  const { points, costExponent, timeExponent, mayGrowTo, isPartial } = series;
  const last = points.at(-1);
  return [
    seriesName(series),
    exponentText(costExponent),
    exponentText(timeExponent),
    last === undefined ? '' : `${grouped(last.size)}${isPartial ? ' (time over)' : ''}`,
    last === undefined ? '' : grouped(last.cost),
    last === undefined ? '' : `≈ ${timeText(last.ms)}`,
    passText(series, 100),
    passText(series, 1000),
    mayGrowTo === undefined ? '' : `${grouped(mayGrowTo.size)} (${mayGrowTo.by === 'limit' ? 'limit of one evaluation' : 'budget'})`,
  ];
}

const exponentText = (exponent: number | undefined): string => (exponent === undefined ? '' : `n^${exponent.toFixed(1)}`);

/** Returns the size from which a request takes longer than `ms`. A size that was not judged is marked as approximate. */
function passText({ passes }: PolicySeries, ms: number): string {
  const passed = passes.find((one) => one.ms === ms);
  return passed === undefined ? '' : `${passed.isJudged ? '' : '≈ '}${grouped(passed.size)}`;
}

/** Returns a change that helps, with the figures before and after it. */
export const helpText = ({ text, request, before, after }: PolicyHelp): string =>
  `${text}: for ${request}, ${grouped(after.cost)} instead of ${grouped(before.cost)} units, ≈ ${timeText(after.ms)} instead of ${timeText(before.ms)}`;
