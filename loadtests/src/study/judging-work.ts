import type { CompiledDefinition } from '#crd';
import type { JsonObject } from '#go';
import { compiledToServe, isOfReader, judge, judgeExactly } from '../workloads/judging.ts';
import type { CostLimits } from '../workloads/judging.ts';
import type { Facts, Line, Work } from './study.ts';

/** Steps of the exact validation (without a generated reader), in order. */
export const PHASES = ['parse', 'prune', 'openapi', 'lists', 'cel'] as const;

/**
 * Values of the fact `judged by` of {@link judgingWork}. Either a generated reader (code for one schema) or the exact validation, which
 * works step by step, validates an object.
 */
export const [READER, EXACT_WAY] = ['generated reader', 'the exact way'] as const;

/** Expected facts of lines in which every write must be accepted. */
export const ACCEPTED: Line['expected'] = () => ({ verdict: 'accepted' });

/** Returns the work of admitting and compiling a definition. */
export const compilingWork = (document: JsonObject): Work => ({ runs: { compile: () => compiledToServe(document) } });

/**
 * Returns the work of validating a create from bytes to verdict. `whole` validates as the product does. `exact` uses the exact validation,
 * without a generated reader, and measures its steps. The facts are `bytes`, `cost`, `verdict`, `judged by`, and the facts that `more`
 * returns at the end.
 */
export function judgingWork(definition: CompiledDefinition, body: Buffer, limits: CostLimits = {}, more?: () => Facts): Work {
  const steps = PHASES.map((phase) => [phase, [] as number[]] as const);
  const byReader: boolean[] = [];
  let [isAccepted, cost] = [true, undefined as number | undefined];
  return {
    runs: {
      whole: () => {
        const verdict = judge(definition, body, limits);
        isAccepted &&= verdict.accepted;
        byReader.push(isOfReader(verdict));
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
      facts: {
        bytes: body.length,
        cost,
        verdict: isAccepted ? 'accepted' : 'rejected',
        'judged by': byReader.slice(-rounds).every(Boolean) ? READER : EXACT_WAY,
        ...more?.(),
      },
    }),
  };
}
