import { countEffect, definitionText, emptyImpact, refusedWrite, serverOf } from '#documents';
import type { DocumentSlice, ObjectEffect } from '#documents';
import type { Minor } from '#kube';
import type { WorkPerformer } from '#runner/in-process';
import { judgeChange, asSingleBlock, whatIf } from '#service';
import type { WorkSettings } from '../worker/serve-asks.ts';
import type { Texts } from '../state/texts.ts';
import { optionsFor } from './evaluate-texts.ts';
import type { WhatIfAnswer } from './judge-messages.ts';
import { definedName, documentsIn, valueOf } from './read-texts.ts';
import { tellingEngine } from './telling-engine.ts';

/**
 * Returns the effects on the objects of replacing definitions. Each definition in the page's panel `changed` replaces the definition with
 * the same name.
 */
export async function whatIfOfTexts(
  performer: WorkPerformer,
  { texts, minor }: { readonly texts: Texts; readonly minor: Minor },
  { signal, progress, alive }: WorkSettings,
): Promise<WhatIfAnswer> {
  const { definitions, objects } = documentsIn(texts);
  const changed = new Map(documentsIn(texts, ['changed']).definitions.map(({ slice }) => [definedName(slice), slice]));
  const known = new Map(definitions.map(({ slice }) => [definedName(slice), slice]));
  const options = optionsFor(minor);
  const engine = tellingEngine(performer, alive);
  const textOf = (slice: DocumentSlice) => definitionText(slice, serverOf(options));
  const changes: WhatIfAnswer['changes'][number][] = [];
  for (const [name, to] of changed) {
    const from = known.get(name);
    if (from === undefined) continue;
    const change = { from: textOf(from), to: textOf(to), options };
    const definition = await judgeChange(engine, change, signal);
    if (definition === undefined) break;
    const impact = emptyImpact();
    const effects: WhatIfAnswer['changes'][number]['objects'][number][] = [];
    const own = objects.map(({ slice }) => slice).filter((slice) => isOfKind(slice, from));
    if (definition.accepted)
      for await (const block of whatIf(engine, change, asSingleBlock(own), signal)) {
        for (const effect of block) countEffect(impact, effect);
        effects.push(...block.map(withRefusedWrite));
        progress(effects.length, own.length);
      }
    changes.push({ definition, counts: impact.effects, objects: effects });
  }
  const unpaired = [...changed.keys(), ...known.keys()].filter((name) => changed.has(name) !== known.has(name));
  return { changes, unpaired };
}

/** Returns an effect with the phrase that names the refused write. */
function withRefusedWrite(effect: ObjectEffect): ObjectEffect & { readonly refused?: string } {
  const refused = refusedWrite(effect);
  return { ...effect, ...(refused !== undefined && { refused }) };
}

/**
 * Returns true if an object has the kind of the changed definition. Also returns true for an unreadable object, so that the object is
 * reported.
 */
function isOfKind(object: DocumentSlice, definition: DocumentSlice): boolean {
  const kind = valueOf(object, 'kind');
  return kind === undefined || kind === valueOf(definition, 'spec', 'names', 'kind');
}
