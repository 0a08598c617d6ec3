import type { Study } from '#benchmark';
import { NO_POLICIES, countEffect, definitionText, emptyImpact, serverOf } from '#documents';
import type { MatrixAnswer, ObjectEffect } from '#documents';
import { MINORS } from '#kube';
import { InProcessEngine, WorkPerformer } from '#runner/in-process';
import {
  explain as explainRules,
  studyDefinitions,
  versionMatrix as compareMinors,
  judgeChange,
  asSingleBlock,
  whatIf as effectsOnObjects,
} from '#service';
import { definitionSlices, runAsync, optionsOf, sliceOf, definitionSlice, timeoutError } from './calls.ts';
import type { Document, Explanation, ObjectOptions, StudyOptions, KubernetesVersion, WhatIf } from './types.ts';

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

/** Options for comparing documents across Kubernetes versions. */
export interface MatrixOptions extends Omit<ObjectOptions, 'kubernetesVersion'> {
  /** Minor versions to compare. Default: all supported ones. */
  readonly minors?: readonly KubernetesVersion[];
}

/**
 * Computes the verdicts on the same definitions and objects for each of several Kubernetes versions. Reports differences in outcomes, messages
 * and costs.
 *
 * @example
 *     const matrix = await versionMatrix([crd], [object], { minors: ['1.30', '1.37'] });
 *     console.log(matrix.objects[0]?.outcome);
 */
export function versionMatrix(
  definitions: readonly Document[],
  objects: readonly Document[] = [],
  { minors = MINORS, ...options }: MatrixOptions = {},
): Promise<MatrixAnswer> {
  return runAsync(options, (token) =>
    compareMinors(
      new InProcessEngine(new WorkPerformer(), token),
      { definitions: definitions.flatMap(definitionSlices), objects: objects.map(sliceOf), options: optionsOf(options), ...NO_POLICIES },
      minors,
      { signal: options.signal },
    ),
  );
}

/**
 * Returns the effects of a change of a definition on stored objects: broken, broken on the next change, saved by ratcheting, or stored
 * differently.
 *
 * @example
 * const { effects } = await whatIf(crd, changedCrd, objects);
 * console.log(effects.brokenOnUpdate);
 */
export function whatIf(from: Document, to: Document, objects: readonly Document[], options: ObjectOptions = {}): Promise<WhatIf> {
  return runAsync(options, async (token) => {
    const evaluation = optionsOf(options);
    const engine = new InProcessEngine(new WorkPerformer(), token);
    const textOf = (document: Document) => definitionText(definitionSlice(document), serverOf(evaluation));
    const change = { from: textOf(from), to: textOf(to), options: evaluation };
    const definition = await judgeChange(engine, change, options.signal);
    if (definition === undefined) throw options.signal?.reason ?? timeoutError(options);
    const impact = emptyImpact();
    const effects: ObjectEffect[] = [];
    if (definition.accepted)
      for await (const block of effectsOnObjects(engine, change, asSingleBlock(objects.map(sliceOf)), options.signal))
        for (const effect of block) {
          countEffect(impact, effect);
          effects.push(effect);
        }
    return { definition, effects: impact.effects, objects: effects };
  });
}
