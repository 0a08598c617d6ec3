import { timeGrowth } from '#benchmark';
import { seededRandom } from '../../../testing/seeded-random.ts';
import type { ListWorkload } from '../workloads/list-workload.ts';
import { listRule } from '../workloads/list-workload.ts';
import type { GoValidator } from './go-validator.ts';
import { measureGoSteps } from './go-steps.ts';

/** Times of the Go libraries for one list of the KEP, ms; what was not measured is undefined. */
export interface GoListFigures {
  readonly name: string;
  /** Decoding, pruning, defaulting, OpenAPI and list types of a list of that many elements of about that width. */
  readonly schemaMs: number | undefined;
  /** The rule alone; `extrapolated` from shorter lists if one evaluation would take longer than the program waits. */
  readonly rule: { readonly ms: number; readonly extrapolated: boolean } | undefined;
}

const SCHEMA_STEPS: readonly string[] = ['decode', 'prune+default', 'openapi', 'listtype'];
/** Lengths from which the time of a longer list is extrapolated. */
const SHORTER = [4000, 16_000, 30_000] as const;

/** Times the three lists of the KEP in apiextensions-apiserver's own libraries. */
export function measureGoLists(workloads: readonly ListWorkload[], validator: GoValidator): GoListFigures[] {
  const schema = schemaTimes();
  return workloads.map((workload) => ({
    name: workload.name,
    schemaMs: schema.get(workload.elements),
    rule: ruleTime(workload, validator),
  }));
}

/** ms of all steps before the rules, by number of elements. */
function schemaTimes(): ReadonlyMap<number, number> {
  const steps = measureGoSteps(['-mode', 'kep', '-min', '300ms']);
  const times = new Map<number, number>();
  for (const { step, size, micros } of typeof steps === 'string' ? [] : steps)
    if (SCHEMA_STEPS.includes(step)) times.set(size, (times.get(size) ?? 0) + micros / 1000);
  return times;
}

function ruleTime(workload: ListWorkload, validator: GoValidator): GoListFigures['rule'] {
  const { elements } = workload;
  const { rule, data } = listRule(workload);
  const lengths = [...new Set([...SHORTER, elements])].filter((length) => length <= elements);
  const cells = validator.measure({ name: data, data, rule }, lengths);
  const points = cells.flatMap(({ size, ns }) => ns.map((one) => ({ size, ms: (one * size) / 1e6 })));
  const last = points.at(-1);
  if (last === undefined) return undefined;
  if (last.size === elements) return { ms: last.ms, extrapolated: false };
  const growth = timeGrowth(
    points.map(({ size, ms }) => ({ size, samples: [ms] })),
    seededRandom(1),
  );
  return growth.kind === 'grows' ? { ms: last.ms * (elements / last.size) ** growth.exponent, extrapolated: true } : undefined;
}
