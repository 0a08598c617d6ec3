import { countEffect, definitionText, emptyImpact, serverOf } from '#documents';
import type { ObjectEffect } from '#documents';
import { judgeChange, asSingleBlock, whatIf as effectsOnObjects } from '#service';
import { InProcessEngine, WorkPerformer } from '#runner/in-process';
import { definitionSlice, runAsync, optionsOf, sliceOf, timeoutError } from './calls.ts';
import type { Document, ObjectOptions, WhatIf } from './types.ts';

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
