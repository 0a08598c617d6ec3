import { writeJson } from '#go';
import { validateObject } from '#crd';
import type { CompiledDefinition } from '#crd';
import { timeGrowth } from '../figures/time-growth.ts';
import type { TimePoint } from '../figures/time-growth.ts';
import { median } from '../figures/quantiles.ts';
import { sampleRounds } from '../figures/sample-rounds.ts';
import { seededRandom } from '../figures/seeded-random.ts';
import { WholeObject } from '../object/whole-object.ts';
import { sized } from '../search/dimensions.ts';
import type { Candidate } from '../search/rule-probe.ts';
import type { EngineLabel, ExponentFigure, MeasuredTime, TimeSeries } from '../study/study-report.ts';
import { TIMED_ENGINES } from './cell-ports.ts';
import type { CellPorts, CellSubjects } from './cell-ports.ts';
import { kepClaims } from './kep-claims.ts';
import { evaluationOf, heapOf } from './rule-work.ts';
import type { TimeFindings, TimesCell } from './study-cell.ts';
import { candidateOf, plannedField } from './write-plan.ts';

/** Parts of the time: sizes of the steepest field, then the dearest write. */
const SHARES = { series: 0.6, worst: 0.25, write: 0.15 } as const;
/** Sizes that are timed, the largest ones. */
const SIZES = 6;

/** Takes times of a rule: along its steepest field, and in its dearest write, by both engines. */
export function takeTimes(cell: TimesCell, subjects: CellSubjects, ports: CellPorts): TimeFindings {
  const series = cell.steepest === undefined ? [] : timeSeries(cell, cell.steepest, subjects, ports);
  const worst = candidateOf(cell.worst);
  const works = TIMED_ENGINES.flatMap(({ name, label }) => {
    const work = evaluationOf(subjects.head(name), cell.rule, worst, ports);
    return work === undefined ? [] : [{ label, work }];
  });
  const sampled = sampleRounds(
    works.map(({ work }) => work.run),
    { ...ports, ms: SHARES.worst * cell.ms },
  );
  const rules = works.flatMap(({ label, work }, i): MeasuredTime[] => {
    const ms = median(sampled[i] ?? []);
    return ms === undefined ? [] : [{ engine: label, what: 'rule', ms, ...perUnit(ms, work.cost), ...heapOf(work.run, ports) }];
  });
  const write = writeTime(cell, worst, subjects, ports);
  const [judging] = TIMED_ENGINES.map(({ label }) => label);
  const list = cell.steepest?.unit === 'items' ? series.find(({ engine }) => engine === judging) : undefined;
  const claims = kepClaims({ list, ruleMs: rules.find(({ engine }) => engine === judging)?.ms, writeMs: write[0]?.ms });
  return { times: [...rules, ...write], series, claims };
}

/** Fewer cost units say nothing of what a unit takes: the call itself takes most of the time. */
const LEAST_COST = 500;

const perUnit = (ms: number, cost: number): { readonly nsPerUnit?: number } => (cost >= LEAST_COST ? { nsPerUnit: (1e6 * ms) / cost } : {});

/** An interval needs so many samples of each size. */
const LEAST_SAMPLES = 5;

/** Takes times along a field, all sizes and engines in turn. */
function timeSeries(
  { rule, ms, seed }: TimesCell,
  { field, unit, sizes, from }: NonNullable<TimesCell['steepest']>,
  subjects: CellSubjects,
  ports: CellPorts,
): readonly TimeSeries[] {
  const start = candidateOf(from);
  const at = (size: number): Candidate => ({
    ...start,
    plan: sized(start.plan, { field: plannedField(field), unit, least: 0, most: 0 }, size),
  });
  const timed = TIMED_ENGINES.flatMap(({ name, label }) =>
    sizes.slice(-SIZES).flatMap((size) => {
      const work = evaluationOf(subjects.head(name), rule, at(size), ports);
      return work === undefined || work.isOverLimit ? [] : [{ label, size, work }];
    }),
  );
  const sampled = sampleRounds(
    timed.map(({ work }) => work.run),
    { ...ports, ms: SHARES.series * ms },
  );
  return TIMED_ENGINES.flatMap(({ label }) => {
    const points = timed.flatMap((one, i): TimePoint[] =>
      one.label === label ? [{ size: one.size, samples: sampled[i] ?? [], cost: one.work.cost }] : [],
    );
    return points.length === 0 ? [] : [seriesOf(label, points, seed)];
  });
}

function seriesOf(engine: EngineLabel, points: readonly TimePoint[], seed: number): TimeSeries {
  const growth = points.every(({ samples }) => samples.length >= LEAST_SAMPLES) ? timeGrowth(points, seededRandom(seed)) : undefined;
  const exponent: ExponentFigure | undefined =
    growth?.kind === 'grows' ? { value: growth.exponent, lo: growth.lo, hi: growth.hi } : undefined;
  return {
    engine,
    ...(exponent && { exponent }),
    points: points.flatMap(({ size, samples }) => {
      const ms = median(samples);
      return ms === undefined ? [] : [{ size, ms }];
    }),
  };
}

/** Takes the time of the dearest write, from bytes to verdict. */
function writeTime({ rule, ms }: TimesCell, worst: Candidate, subjects: CellSubjects, ports: CellPorts): readonly MeasuredTime[] {
  const found = subjects.head('compiled').find(rule);
  if (found === undefined) return [];
  const whole = new WholeObject(found.among.definition, found.rule, found.among.writing);
  const trial = whole.judge(worst, ports.token);
  if (trial.kind !== 'judged') return [];
  const body = new TextEncoder().encode(writeJson(trial.object));
  const run = writing(found.among.definition, { ...trial.write, body }, ports);
  const [samples = []] = sampleRounds([run], { ...ports, ms: SHARES.write * ms });
  const middle = median(samples);
  return middle === undefined ? [] : [{ engine: 'Assay compiled', what: 'write', ms: middle, ...heapOf(run, ports) }];
}

function writing(definition: CompiledDefinition, write: Parameters<typeof validateObject>[1], { token }: CellPorts): () => void {
  return () => void validateObject(definition, write, token ? { token } : {});
}
