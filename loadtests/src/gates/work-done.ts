import { validateValue } from '#crd';
import { LATEST_MINOR } from '#kube';
import type { JsonValue } from '#go';
import { NODE_ENGINE } from '#runner/linker';
import { caseEvaluation, jsonOf } from '../engines/cel-cases.ts';
import type { EngineName } from '../engines/cel-cases.ts';
import { UNLIMITED } from '../workloads/judging.ts';
import { countingReads } from './counted-list.ts';
import { RULE_WORK, VALUE_WORK } from './work-cases.ts';
import type { RuleWork, ValueWork } from './work-cases.ts';

/** Lengths at which work is counted. They differ enough to reveal quadratic growth and are short enough for every test run. */
const WORK_LENGTHS = [400, 1600] as const;

/** Work of one validation. Cost units alone are insufficient, because a validator may charge the same cost for n steps and for n². */
export interface WorkDone {
  /** Number of reads of list elements. */
  readonly elementReads: number;
  readonly costUnits: number;
  /** Number of node evaluations; undefined unless the engine is an interpreter that counts them. */
  readonly steps?: number;
}

/** Counted work of one case at both of the {@link WORK_LENGTHS}. */
export interface CountedWork {
  readonly name: string;
  /** Highest allowed exponent of the work's growth with the length of the value. */
  readonly growth: 1 | 2;
  /** True if the number of reads varies at random; see `scatters` of {@link ValueWork}. */
  readonly scatters: boolean;
  readonly short: WorkDone;
  readonly long: WorkDone;
}

/**
 * Counts the work of every case at both lengths. The function uses no clock, so the counts are the same on every machine, except for cases
 * whose reads vary at random (`scatters`).
 */
export function countWork(): CountedWork[] {
  const counted = (
    name: string,
    { growth, scatters = false }: Pick<ValueWork, 'growth' | 'scatters'>,
    at: (length: number) => WorkDone,
  ): CountedWork => {
    const [short, long] = WORK_LENGTHS.map((length) => (scatters ? leastOf(() => at(length)) : at(length))) as [WorkDone, WorkDone];
    return { name, growth, scatters, short, long };
  };
  return [
    ...VALUE_WORK.map((work) => counted(work.name, work, (length) => valueWork(work, length))),
    ...(['compiled', 'interpreted', 'measured'] as const).flatMap((engine) =>
      RULE_WORK.map((work) => counted(`rule, ${engine}: ${work.name}`, work, (length) => ruleWork(work, engine, length))),
    ),
  ];
}

/**
 * Calls `work` several times and returns the work of the call with the fewest reads. The reads vary because hashes have random seeds, but
 * quadratic growth would occur in every call.
 */
function leastOf(work: () => WorkDone): WorkDone {
  const runs = Array.from({ length: 7 }, work).toSorted((a, b) => a.elementReads - b.elementReads);
  return runs[0] ?? work();
}

function valueWork({ name, schema, value, oldValue }: ValueWork, length: number): WorkDone {
  const counter = { reads: 0 };
  const counted = (plain: unknown): JsonValue => countingReads(jsonOf(plain), counter);
  const answer = validateValue(jsonOf(schema), {
    minor: LATEST_MINOR,
    resourceRoot: false,
    value: counted(value(length)),
    oldValue: oldValue && counted(oldValue(length)),
    costLimit: UNLIMITED,
    budget: UNLIMITED,
    engine: NODE_ENGINE,
  });
  if (!answer.ok || answer.errors.length > 0) throw new Error(`${name}: the value is not valid`);
  return { elementReads: counter.reads, costUnits: answer.celCost };
}

function ruleWork(work: RuleWork, engine: EngineName, length: number): WorkDone {
  const counter = { reads: 0 };
  const { cost, steps } = caseEvaluation(work, length, engine, (value) => countingReads(value, counter))();
  return { elementReads: counter.reads, costUnits: cost, ...(steps !== undefined && { steps }) };
}

/** Returns the exponent with which a figure grows between the two lengths; 0 if the figure does not grow. */
export function growthBetween({ short, long }: Pick<CountedWork, 'short' | 'long'>, figure: keyof WorkDone): number {
  const [from, to] = [short[figure] ?? 0, long[figure] ?? 0];
  const [shorter, longer] = WORK_LENGTHS;
  return from <= 0 || to <= from ? 0 : Math.log(to / from) / Math.log(longer / shorter);
}
