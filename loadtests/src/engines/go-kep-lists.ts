import { timeGrowth } from '#benchmark';
import { seededRandom } from '../../../testing/seeded-random.ts';
import type { CaseFigures, Times } from '../study/study.ts';
import type { ListWorkload } from '../workloads/list-workload.ts';
import { listRule } from '../workloads/list-workload.ts';
import type { GoValidator } from './go-validator.ts';
import { measureGoSteps } from './go-steps.ts';

/** Returns the name of the line of figures that Go produces for a list. */
export const goLineOf = ({ name }: ListWorkload): string => `Go: ${name}`;

const SCHEMA_STEPS: readonly string[] = ['decode', 'prune+default', 'openapi', 'listtype'];
/** Lengths of the lists from which the time of a longer list is extrapolated. */
const SHORTER = [4000, 16_000, 30_000] as const;

/**
 * Measures the lists of the KEP with the libraries of apiextensions-apiserver. `schema` is the time of all steps from decoding to list
 * types, for a list with the same number of elements as the workload.
 *
 * `rule` is the time of the rule alone. It is named `rule, extrapolated` and computed from shorter lists if one evaluation would exceed the
 * program's time limit.
 */
export function measureGoLists(workloads: readonly ListWorkload[], validator: GoValidator): CaseFigures[] {
  const schema = schemaTimes();
  return workloads.map((workload) => {
    const ms = schema.get(workload.elements);
    const times = { ...(ms !== undefined && { schema: [ms] }), ...ruleTimes(workload, validator) };
    return { line: goLineOf(workload), size: workload.elements, times, facts: {} };
  });
}

/** Returns the time in ms of all steps before the rules, by number of elements. */
function schemaTimes(): ReadonlyMap<number, number> {
  const steps = measureGoSteps(['-mode', 'kep', '-min', '300ms']);
  const times = new Map<number, number>();
  for (const { step, size, micros } of typeof steps === 'string' ? [] : steps)
    if (SCHEMA_STEPS.includes(step)) times.set(size, (times.get(size) ?? 0) + micros / 1000);
  return times;
}

function ruleTimes(workload: ListWorkload, validator: GoValidator): Times {
  const { elements } = workload;
  const { rule, data } = listRule(workload);
  const lengths = [...new Set([...SHORTER, elements])].filter((length) => length <= elements);
  const cells = validator.measure({ name: data, data, rule }, lengths);
  const points = cells.flatMap(({ size, ns }) => ns.map((one) => ({ size, samples: [(one * size) / 1e6] })));
  const last = points.at(-1);
  const [ms] = last?.samples ?? [];
  if (last === undefined || ms === undefined) return {};
  if (last.size === elements) return { rule: [ms] };
  const growth = timeGrowth(points, seededRandom(1));
  return growth.kind === 'grows' ? { 'rule, extrapolated': [ms * (elements / last.size) ** growth.exponent] } : {};
}
