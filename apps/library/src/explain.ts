import { NO_POLICIES } from '#documents';
import { explain as explainRules } from '#service';
import { InProcessEngine, WorkPerformer } from '#runner/in-process';
import { definitionSlices, runAsync, optionsOf, sliceOf } from './calls.ts';
import type { Document, Explanation, ObjectOptions } from './types.ts';

/**
 * Explains the cost of every rule of definitions: the estimated cost of each part, and its measured cost in the objects. Suggests bounds
 * that bring an expensive rule under its limit.
 *
 * @example
 *     const { definitions } = await explain([crd], [object]);
 *     console.log(definitions[0]?.rules[0]?.totalCost, definitions[0]?.rules[0]?.bounds);
 */
export function explain(
  definitions: readonly Document[],
  objects: readonly Document[] = [],
  options: ObjectOptions = {},
): Promise<Explanation> {
  return runAsync(options, (token) =>
    explainRules(
      new InProcessEngine(new WorkPerformer(), token),
      { definitions: definitions.flatMap(definitionSlices), objects: objects.map(sliceOf), options: optionsOf(options), ...NO_POLICIES },
      options.signal,
    ),
  );
}
