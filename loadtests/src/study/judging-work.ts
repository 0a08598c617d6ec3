import type { CompiledDefinition } from '#crd';
import { isOfReader, judge, judgeExactly } from '../workloads/judging.ts';
import type { CostLimits } from '../workloads/judging.ts';
import type { Work } from './study.ts';

/** Steps of the exact way, in order. */
export const PHASES = ['parse', 'prune', 'openapi', 'lists', 'cel'] as const;

/** The way that judged: a fact of {@link judgingWork}. */
export const READER = 'generated reader';

/** Returns the work of judging a create from bytes to verdict: as the product does (`whole`), and by the exact way (`exact`) with its steps. Facts: `bytes`, `cost`, `verdict` and `judgedBy`. */
export function judgingWork(definition: CompiledDefinition, body: Buffer, limits: CostLimits = {}): Work {
  const steps = PHASES.map((phase) => [phase, [] as number[]] as const);
  let [isAccepted, byReader, cost] = [true, true, undefined as number | undefined];
  return {
    runs: {
      whole: () => {
        const verdict = judge(definition, body, limits);
        isAccepted &&= verdict.accepted;
        byReader &&= isOfReader(verdict);
        cost = verdict.cost.cel;
      },
      exact: () => {
        const { phases, accepted } = judgeExactly(definition, body, limits);
        isAccepted &&= accepted;
        for (const [phase, times] of steps) times.push(phases[phase]);
      },
    },
    after: (rounds) => ({
      times: Object.fromEntries(steps.map(([phase, times]) => [phase, times.slice(-rounds)])),
      facts: { bytes: body.length, cost, verdict: isAccepted ? 'accepted' : 'rejected', judgedBy: byReader ? READER : 'the exact way' },
    }),
  };
}
