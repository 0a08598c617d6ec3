import { writeJson } from '#go';
import { validateObject } from '#crd';
import { watchCore } from '../figures/core-share.ts';
import { timeGrowth } from '../figures/time-growth.ts';
import type { TimePoint } from '../figures/time-growth.ts';
import { median } from '../figures/quantiles.ts';
import { sampleRounds, seededRandom } from '../figures/sample-rounds.ts';
import type { SamplingRules } from '../figures/sample-rounds.ts';
import { DeadlineToken } from '../study/deadline.ts';
import { WholeObject } from '../object/whole-object.ts';
import { withSize } from '../search/dimensions.ts';
import type {
  AssayEngine,
  ExponentFigure,
  MeasuredTime,
  TimeSeries,
  PredictedTime,
  RuleKey,
  WritePlan,
  StudyClaim,
} from '../study/study-report.ts';
import { COMPILED, INTERPRETED } from './studied-definition.ts';
import type { CellPorts, CellSubjects, TimedEngine } from './studied-definition.ts';
import { evaluationOf, heapOf } from './rule-work.ts';
import type { TimeFindings, TimesCell } from './study-cell.ts';
import { candidateOf, plannedField } from './write-plan.ts';
import { PER_CALL_LIMIT, KEP_FACTOR, kepMs } from '#kube';
import { MEASURED_MODEL } from '../prediction/measured-models.ts';
import { predictServerTime } from '../prediction/predict-server-time.ts';
import { serverWork } from '../prediction/server-work.ts';
import { RuleProbe } from '../search/rule-probe.ts';

/**
 * Shares of the time limit at which each measurement ends. `write` and `worst` are for the most expensive write, and `series` is for the
 * field with the steepest growth. The interpreter is measured last, because its times matter least.
 */
const SHARES = { write: 0.15, worst: 0.3, series: 0.65, interpreted: 1 } as const;
/** Number of sizes whose time is measured. The largest sizes are used. */
const SIZES = 6;

/**
 * Measures how long evaluations of a rule take, with generated code and with the interpreter. Measures the most expensive write request
 * that the study found. Also measures values in which the field with the steepest cost growth has increasing sizes. Measurements for which
 * no time remains are left out.
 */
export function takeTimes(cell: TimesCell, subjects: CellSubjects, ports: CellPorts): TimeFindings {
  const withoutCore = watchCore(ports);
  const found = timesOf(cell, subjects, ports);
  return withoutDisturbed(found, withoutCore());
}

function timesOf(cell: TimesCell, subjects: CellSubjects, ports: CellPorts): TimeFindings {
  const session = new TimingSession(cell, subjects, ports);
  const write = session.writeTime(SHARES.write);
  const compiled = session.ruleTime(COMPILED, SHARES.worst);
  const series = session.timeSeries(COMPILED, SHARES.series);
  const slower = session.ruleTime(INTERPRETED, (SHARES.series + SHARES.interpreted) / 2);
  const slowerSeries = session.timeSeries(INTERPRETED, SHARES.interpreted);
  const list = cell.steepest?.unit === 'items' ? series : undefined;
  const serverTime = predictTime(cell.rule, cell.worst, subjects, ports.token);
  const claims = kepClaims({ list, ruleMs: compiled?.ms, writeMs: write?.ms });
  return {
    times: [compiled, slower, write].filter((time) => time !== undefined),
    series: [series, slowerSeries].filter((one) => one !== undefined),
    claims,
    serverTime,
  };
}

/** Minimum cost in cost units for which the time per unit is reported. In a cheaper evaluation, the call itself takes most of the time. */
const MIN_COST = 500;

const perUnit = (ms: number, cost: number): { readonly nsPerUnit?: number } => (cost >= MIN_COST ? { nsPerUnit: (1e6 * ms) / cost } : {});

/** Minimum number of samples of each size from which a confidence interval is computed. */
const MIN_SAMPLES = 5;

/** One series of time measurements for one rule, with a common time limit. */
class TimingSession {
  readonly #cell: TimesCell;
  readonly #subjects: CellSubjects;
  readonly #ports: CellPorts;
  readonly #begun: number;

  constructor(cell: TimesCell, subjects: CellSubjects, ports: CellPorts) {
    this.#cell = cell;
    this.#subjects = subjects;
    this.#ports = ports;
    this.#begun = ports.now();
  }

  /**
   * Measures the time of one evaluation in the most expensive write. The measurement ends at the given share of the time limit. Returns
   * undefined if no time remains or the rule is not evaluated.
   */
  ruleTime({ name, label }: TimedEngine, share: number): MeasuredTime | undefined {
    const rules = this.#until(share);
    const work = rules && evaluationOf(this.#subjects.head(name), this.#cell.rule, candidateOf(this.#cell.worst), rules);
    if (rules === undefined || work === undefined) return undefined;
    const [samples = []] = sampleRounds([work.run], rules);
    const ms = median(samples);
    return ms === undefined
      ? undefined
      : { engine: label, what: 'rule', ms, ...(work.isOverLimit ? {} : perUnit(ms, work.cost)), ...heapOf(work.run, this.#ports) };
  }

  /**
   * Measures the time of the most expensive write, from the bytes of the object to the verdict. The measurement ends at the given share of
   * the time limit.
   */
  writeTime(share: number): MeasuredTime | undefined {
    const found = this.#subjects.head(COMPILED.name).find(this.#cell.rule);
    if (found === undefined) return undefined;
    const { definition, writing } = found.among;
    const trial = new WholeObject(definition, found.rule, writing).judge(candidateOf(this.#cell.worst), this.#ports.token);
    const rules = this.#until(share);
    if (trial.kind !== 'judged' || rules === undefined) return undefined;
    const write = { ...trial.write, body: new TextEncoder().encode(writeJson(trial.object)) };
    const run = (): void => void validateObject(definition, write, { token: this.#ports.token });
    const [samples = []] = sampleRounds([run], rules);
    const ms = median(samples);
    return ms === undefined ? undefined : { engine: COMPILED.label, what: 'write', ms, ...heapOf(run, this.#ports) };
  }

  /**
   * Measures times along the field with the steepest growth, up to the given share of the time limit. In each round, the sizes are measured
   * in turn. Returns undefined if there is no such field or no time remains.
   */
  timeSeries({ name, label }: TimedEngine, share: number): TimeSeries | undefined {
    const { steepest, rule, seed } = this.#cell;
    const rules = this.#until(share);
    if (steepest === undefined || rules === undefined) return undefined;
    const { field, unit, sizes, from } = steepest;
    const start = candidateOf(from);
    const timed = sizes.slice(-SIZES).flatMap((size) => {
      const plan = withSize(start.plan, { field: plannedField(field), unit, least: 0, most: 0 }, size);
      const work = evaluationOf(this.#subjects.head(name), rule, { ...start, plan }, rules);
      return work === undefined || work.isOverLimit ? [] : [{ size, work }];
    });
    const sampled = sampleRounds(
      timed.map(({ work }) => work.run),
      rules,
    );
    return seriesOf(
      label,
      timed.map(({ size, work }, i) => ({ size, samples: sampled[i] ?? [], cost: work.cost })),
      seed,
    );
  }

  /**
   * Returns sampling rules with a deadline at the given share of the time limit. Returns undefined if this deadline has already passed or
   * the work is cancelled.
   */
  #until(share: number): (SamplingRules & CellPorts) | undefined {
    const { now, token } = this.#ports;
    const ms = this.#begun + share * this.#cell.ms - now();
    return ms <= 0 || token.cancelled ? undefined : { ...this.#ports, ms, token: new DeadlineToken(now, OVERDUE * ms, token) };
  }
}

/** Maximum time of a running evaluation, as a multiple of the remaining time of its measurement. A longer evaluation is cancelled. */
const OVERDUE = 3;

function seriesOf(engine: AssayEngine, points: readonly TimePoint[], seed: number): TimeSeries | undefined {
  const growth = points.every(({ samples }) => samples.length >= MIN_SAMPLES) ? timeGrowth(points, seededRandom(seed)) : undefined;
  const exponent: ExponentFigure | undefined =
    growth?.kind === 'grows' ? { value: growth.exponent, lo: growth.lo, hi: growth.hi } : undefined;
  const reported = points.flatMap(({ size, samples }) => {
    const ms = median(samples);
    return ms === undefined ? [] : [{ size, ms }];
  });
  return reported.length === 0 ? undefined : { engine, ...(exponent && { exponent }), points: reported };
}

/**
 * Maximum share of the time for which a thread may wait for a CPU core. Above this share, measured times are too long, especially those of
 * long evaluations.
 */
const MAX_DISTURBED_SHARE = 0.2;

/**
 * Removes unreliable results from the findings if the measurement was disturbed (`share` is above 0.2). The growth exponents of the times
 * are removed. The claims are statements of KEP-2876 about times. A claim with the verdict "holds" is kept, because a disturbance only
 * makes times longer. Every other claim gets the verdict "not measured".
 *
 * @param share Share of the time for which the thread had no CPU core. Undefined if the share is not known.
 */
export function withoutDisturbed(found: TimeFindings, share: number | undefined): TimeFindings {
  if (share === undefined || share <= MAX_DISTURBED_SHARE) return found;
  const series = found.series.map(({ engine, points }) => ({ engine, points }));
  const claims = found.claims.map((one) => (one.verdict === 'holds' ? one : { ...one, verdict: 'not measured' as const }));
  return { ...found, series, claims, disturbed: share };
}

const NOT_EVALUATED: PredictedTime = { kind: 'notPredicted', reason: 'a limit ends the evaluation, or the rule does not hold' };

/**
 * Predicts how long an API server takes for one evaluation of a rule on the object that `plan` describes. Returns the reason if there is no
 * prediction, for example because the rule does not evaluate to true.
 */
function predictTime(key: RuleKey, plan: WritePlan, { head }: CellSubjects, token: { readonly cancelled: boolean }): PredictedTime {
  const found = head('measured').find(key);
  const limits = { costLimit: PER_CALL_LIMIT, token, isChecked: false };
  const trial = found && new RuleProbe(found.rule, found.among.writing).try(candidateOf(plan), limits);
  const checked = found?.rule.rule.checked;
  if (checked === undefined || trial?.kind !== 'evaluated' || trial.outcome !== 'true' || trial.readings === undefined)
    return NOT_EVALUATED;
  return predictServerTime(serverWork(checked, trial.readings), MEASURED_MODEL);
}

/**
 * Times in ms that the cost limits of one call and of one object are meant to allow. Source: k8s.io/apiserver/pkg/apis/cel/config.go
 * `PerCallLimit`, `RuntimeCELCostBudget` (1.37).
 */
const [CALL_MS, OBJECT_MS] = [100, 1000];

/** Measured times of a rule, for comparison with the claims of KEP-2876. */
interface ClaimedTimes {
  /** Times at growing sizes of a list. Undefined if the field along which the cost grows most steeply is not a list. */
  readonly list: TimeSeries | undefined;
  /** Times for the most expensive write in ms: `ruleMs` for one evaluation of the rule, `writeMs` for the whole write. */
  readonly ruleMs: number | undefined;
  readonly writeMs: number | undefined;
}

/**
 * Compares measured times of a rule with the claims of KEP-2876, and returns each claim with its verdict. The claims are about iterating a
 * list, one evaluation (0.1 s), and all rules in one write request (1 s). The first claim is left out if no times of a list were measured.
 */
function kepClaims({ list, ruleMs, writeMs }: ClaimedTimes): readonly StudyClaim[] {
  const last = list?.points.at(-1);
  const iterating = last && iterationClaim(last.size, last.ms);
  return [
    ...(iterating ? [iterating] : []),
    withinClaim('one evaluation within 1,000,000 cost units takes about 0.1 s', ruleMs, CALL_MS),
    withinClaim('all rules of a write within 10,000,000 cost units take about 1 s', writeMs, OBJECT_MS),
  ];
}

function iterationClaim(size: number, ms: number): StudyClaim {
  const rawMs = kepMs(size);
  const verdict = ms <= rawMs ? 'holds' : ms <= KEP_FACTOR * rawMs ? 'in part' : 'fails';
  return {
    claim: `iterating ${size} elements takes ${rawMs.toPrecision(2)} ms, and may take ${(KEP_FACTOR * rawMs).toPrecision(2)} ms`,
    found: `${ms.toPrecision(2)} ms`,
    verdict,
  };
}

function withinClaim(claim: string, ms: number | undefined, most: number): StudyClaim {
  if (ms === undefined) return { claim, found: 'no time', verdict: 'not measured' };
  return { claim, found: `${ms.toPrecision(2)} ms`, verdict: ms <= most ? 'holds' : 'fails' };
}
