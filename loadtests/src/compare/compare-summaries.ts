import { COMPARED } from '../measure/environment.ts';
import { estimatePercentile, percentile } from '#benchmark';
import { sortGates } from '../result/sorted-gates.ts';
import type { ReportCell, Gate, RunSummary } from '../result/summary.ts';

/** How a cell of the second run differs from that of the first. */
export interface CellChange {
  readonly experiment: string;
  readonly id: string;
  readonly before: number;
  readonly after: number;
  readonly unit: ReportCell['unit'];
  /** after / before; undefined where one of them is too small to be measured: 0 says nothing of how much larger another figure is. */
  readonly ratio: number | undefined;
  /** 95 % interval of the ratio; undefined for too few samples, and where some of them are 0. */
  readonly interval: readonly [lo: number, hi: number] | undefined;
  /** `same`: within noise, or not decidable. */
  readonly change: 'better' | 'worse' | 'same';
}

/** Two runs side by side. */
export interface Comparison {
  readonly cells: readonly CellChange[];
  /** Gates that hold in the first run and fail in the second. */
  readonly brokenGates: readonly (Gate & { readonly experiment: string })[];
  /** How many gates hold in the first run and were not measured in the second. */
  readonly unmeasuredGates: number;
  /** Gates that fail in the second run whether or not they did before. */
  readonly failedGates: number;
  /** Why milliseconds say nothing: what differs between the machines, or how noisy they were. */
  readonly doubts: readonly string[];
  /** Ratios up to this are noise. */
  readonly noiseFloor: number;
  /** Cells of one run only. */
  readonly only: { readonly before: readonly string[]; readonly after: readonly string[] };
}

/** Compares two runs: gates decide, times inform. Runs that were taken one after the other share no rounds, so intervals are wide and doubts are said. */
export function compareSummaries(before: RunSummary, after: RunSummary): Comparison {
  const noiseFloor = Math.max(before.noiseFloor, after.noiseFloor);
  const cellsOf = ({ experiments }: RunSummary): Map<string, { experiment: string; cell: ReportCell }> =>
    new Map(experiments.flatMap(({ name, cells }) => cells.map((cell) => [`${name}/${cell.id}`, { experiment: name, cell }] as const)));
  const old = cellsOf(before);
  const now = cellsOf(after);
  const cells = [...now].flatMap(([key, { experiment, cell }]) => {
    const earlier = old.get(key)?.cell;
    if (earlier?.value == null || cell.value === null || earlier.unit !== cell.unit) return [];
    return [cellChange(experiment, earlier, cell, noiseFloor)];
  });
  const gatesOf = ({ experiments }: RunSummary): (Gate & { experiment: string })[] =>
    experiments.flatMap(({ name, gates }) => gates.map((gate) => ({ ...gate, experiment: name })));
  const held = new Set(sortGates(gatesOf(before)).held.map(({ experiment, name }) => `${experiment}/${name}`));
  const { failed, notMeasured } = sortGates(gatesOf(after));
  return {
    cells,
    brokenGates: failed.filter(({ experiment, name }) => held.has(`${experiment}/${name}`)),
    unmeasuredGates: notMeasured.filter(({ experiment, name }) => held.has(`${experiment}/${name}`)).length,
    failedGates: failed.length,
    doubts: [...doubtsAbout(before, after), ...doubtOfEqualCode(before, after, cells)],
    noiseFloor,
    only: {
      before: [...old.keys()].filter((key) => !now.has(key)),
      after: [...now.keys()].filter((key) => !old.has(key)),
    },
  };
}

function cellChange(experiment: string, before: ReportCell, after: ReportCell, noiseFloor: number): CellChange {
  const [from, to] = [before.value as number, after.value as number];
  const ratio = from > 0 && to > 0 ? to / from : undefined;
  const interval = intervalOf(before, after);
  if (ratio === undefined)
    return { experiment, id: after.id, before: from, after: to, unit: after.unit, ratio, interval: undefined, change: 'same' };
  const certain = interval !== undefined && (interval[0] > 1 || interval[1] < 1) && Math.max(ratio, 1 / ratio) > noiseFloor;
  const larger = after.larger === true;
  const change = !certain ? 'same' : ratio > 1 === larger ? 'better' : 'worse';
  return { experiment, id: after.id, before: from, after: to, unit: after.unit, ratio, interval, change };
}

/** Returns the interval of the ratio of two medians: that of each side misses in 2.5 %, so that theirs misses in 5 % at most. */
function intervalOf(before: ReportCell, after: ReportCell): readonly [number, number] | undefined {
  const [from, to] = [before, after].map(({ samples }) => estimatePercentile(samples, { p: 50, error: 0.025 }));
  if (from?.kind !== 'told' || to?.kind !== 'told' || from.lo <= 0 || to.lo <= 0) return undefined;
  return [to.lo / from.hi, to.hi / from.lo];
}

/** Two runs of one revision differ by what the machine differs from itself: that is what any comparison of other runs must exceed. */
function doubtOfEqualCode(before: RunSummary, after: RunSummary, cells: readonly CellChange[]): string[] {
  const { revision } = after.environment;
  const factors = cells.flatMap(({ ratio }) => (ratio === undefined ? [] : [Math.max(ratio, 1 / ratio)]));
  if (revision === undefined || revision !== before.environment['revision'] || factors.length === 0) return [];
  const [half, most] = [50, 90].map((p) => (percentile(factors, p) ?? 1).toFixed(2));
  return [
    `both runs are of revision ${revision}: what differs is the machine, by up to ${half}× in half of the cells and ${most}× in nine of ten; ratios within one run are taken in turns and do not carry that`,
  ];
}

function doubtsAbout(before: RunSummary, after: RunSummary): string[] {
  const differing = COMPARED.filter((key) => before.environment[key] !== after.environment[key]);
  const noisy = (run: RunSummary): string[] => run.experiments.filter(({ noise }) => noise.verdict === 'noisy').map(({ name }) => name);
  const [first, second] = [noisy(before), noisy(after)];
  return [
    ...differing.map((key) => `${key} differs: ${before.environment[key] ?? '–'}, ${after.environment[key] ?? '–'}`),
    ...(before.thoroughness === after.thoroughness ? [] : [`one run is ${before.thoroughness}, the other ${after.thoroughness}`]),
    ...(first.length > 0 ? [`the machine was noisy in the first run: ${first.join(', ')}`] : []),
    ...(second.length > 0 ? [`the machine was noisy in the second run: ${second.join(', ')}`] : []),
  ];
}
