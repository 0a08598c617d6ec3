import type { Study } from '#benchmark';
import { studyDefinitions } from '#service';
import { InProcessEngine, WorkPerformer } from '#runner/in-process';
import { definitionSlices, runAsync, optionsOf, sliceOf } from './calls.ts';
import type { Document, StudyOptions } from './types.ts';

const BUDGET_MS = 10_000;

/**
 * Studies the rules of definitions within a time budget. For each rule, finds the growth of its cost and the smallest size at which a
 * server refuses a write. Also finds the most expensive write and its time. Costs are exact. Times are measured on this machine.
 *
 * @example
 *     const { rules } = await benchmark([crd], { budgetMs: 2000 });
 *     for (const { rule, growsWith, worst } of rules) console.log(rule, growsWith.length, worst?.cost);
 */
export function benchmark(definitions: readonly Document[], options: StudyOptions = {}): Promise<Study> {
  const { objects = [], base, budgetMs = BUDGET_MS, seed = 1, isTimed = true, isWanted = () => true, ...server } = options;
  return runAsync(server, (token) =>
    studyDefinitions(
      new InProcessEngine(new WorkPerformer(), token),
      {
        definitions: definitions.flatMap((definition, i) =>
          definitionSlices(definition).map((slice) => ({ source: `definitions[${i}]`, slice })),
        ),
        objects: objects.map(sliceOf),
        options: optionsOf(server),
        budgetMs,
        seed,
        base: base && { name: 'base', definitions: base.flatMap(definitionSlices) },
        isTimed,
        isWanted,
      },
      server.signal && { signal: server.signal },
    ),
  );
}
