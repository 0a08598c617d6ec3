import { compileDefinition } from '#crd';
import { LATEST_MINOR } from '#kube';
import { NODE_ENGINE } from '#runner/linker';
import { warmUp } from '../../measure/warm-up.ts';
import { isOfReader, judge, judgeExactly, NO_LIMITS, timed } from '../../workloads/judging.ts';
import { listBody, listDefinition } from '../../workloads/list-workload.ts';
import type { ListWorkload } from '../../workloads/list-workload.ts';

/** The KEP's figure for iterating, ns an element: 400 ms for 1,572k elements. Its limit is five times that. */
export const KEP_NS = 254;
/** Steps of the exact way, in order. */
export const PHASES = ['parse', 'prune', 'openapi', 'lists', 'cel'] as const;

/** One list of the KEP from the bytes of its object to the verdict; times in ms, a figure a round. */
export interface ListFigures {
  readonly workload: ListWorkload;
  /** Bytes of the object. */
  readonly bytes: number;
  /** Times of the product's own way. */
  readonly whole: readonly number[];
  /** True if a generated reader judged it; undefined without a round. */
  readonly byReader: boolean | undefined;
  /** Times of the exact way. */
  readonly exact: readonly number[];
  /** Steps of the exact way. */
  readonly phases: Readonly<Record<(typeof PHASES)[number], readonly number[]>>;
  /** Units of the last round; undefined without a round. */
  readonly cost: number | undefined;
  readonly accepted: boolean | undefined;
  /** Verdict under the server's own limits; undefined if that was not tried. */
  readonly limited: 'accepted' | 'rejected' | undefined;
}

/** Judges one list as often as `rounds` says, as the product does and by the exact way in turns. Throws if the definition is refused. */
export function measureList(workload: ListWorkload, rounds: number, warmUpMs: number): ListFigures {
  const outcome = compileDefinition(listDefinition(workload), { minor: LATEST_MINOR, engine: NODE_ENGINE });
  if (!outcome.ok) throw new Error(`the experiment's definition was refused: ${outcome.status.message}`);
  const { definition } = outcome;
  const body = Buffer.from(listBody(workload));
  warmUp(() => void judge(definition, body, NO_LIMITS), warmUpMs);
  warmUp(() => void judgeExactly(definition, body, NO_LIMITS), warmUpMs);
  const runs = Array.from({ length: rounds }, () => ({
    whole: timed(() => judge(definition, body, NO_LIMITS)),
    exact: timed(() => judgeExactly(definition, body, NO_LIMITS)),
  }));
  const phase = (name: (typeof PHASES)[number]): number[] => runs.map(({ exact }) => exact.value.phases[name]);
  return {
    workload,
    bytes: body.length,
    whole: runs.map(({ whole }) => whole.ms),
    byReader: runs.length === 0 ? undefined : runs.every(({ whole }) => isOfReader(whole.value)),
    exact: runs.map(({ exact }) => exact.ms),
    phases: { parse: phase('parse'), prune: phase('prune'), openapi: phase('openapi'), lists: phase('lists'), cel: phase('cel') },
    cost: runs.at(-1)?.whole.value.cost.cel,
    accepted: runs.length === 0 ? undefined : runs.every(({ whole, exact }) => whole.value.accepted && exact.value.accepted),
    limited: judge(definition, body).accepted ? 'accepted' : 'rejected',
  };
}
