import { createHash } from 'node:crypto';
import { z } from 'zod';
import { unqueuedEngine } from '#runner';
import { readDocuments, studyDefinitions } from '#service';
import { packageVersion } from '#telemetry';
import type { FileAccess } from '../../files/file-access.ts';
import { UNLIMITED } from '../../documents/read-documents.ts';
import type { ContentJudge } from './judge-contents.ts';
import type { DefinitionHistory, FoundWrite } from './definition-history.ts';
import { cachedValue } from './history-cache.ts';
import { readContents } from './judge-contents.ts';

const foundWrite = z.object({ cost: z.number(), rule: z.object({ version: z.string(), path: z.string() }), isPartial: z.boolean() });

/** Things that a search for expensive writes needs. `budgetMs` is the time in ms for one state. */
export interface StateStudies extends ContentJudge {
  readonly access: FileAccess;
  readonly budgetMs: number;
}

/**
 * Searches the most expensive write of each state in which an estimate or a rule changes. Returns the writes by the name of the content and
 * of the definition. States between them have the same rules and bounds, so they have the same costs.
 */
export async function studyStates(
  folder: string,
  histories: readonly DefinitionHistory[],
  studies: StateStudies,
): Promise<ReadonlyMap<string, FoundWrite>> {
  const wanted = histories.flatMap(({ name, states }) =>
    states.flatMap(({ blob, figures }, i) => {
      const isChanged = figures !== undefined && figures.ruleCount > 0 && figures.digest !== states[i - 1]?.figures?.digest;
      return blob !== undefined && isChanged ? [{ blob, name }] : [];
    }),
  );
  const found = new Map<string, FoundWrite>();
  const namesOf = Map.groupBy(wanted, ({ blob }) => blob);
  for (const content of readContents(folder, [...namesOf.keys()], studies.access)) {
    if (!content.ok) continue;
    for (const { name } of namesOf.get(content.blob) ?? []) {
      if (studies.signal.aborted) return found;
      const write = await costliestWrite(content.bytes, name, studies);
      if (write !== undefined) found.set(stateKey(content.blob, name), write);
      studies.progress.step();
    }
  }
  return found;
}

/** Returns the key of a state among the results of {@link studyStates}. */
export const stateKey = (blob: string, name: string): string => `${blob} ${name}`;

async function costliestWrite(bytes: Uint8Array, name: string, studies: StateStudies): Promise<FoundWrite | undefined> {
  const { cache, options, budgetMs } = studies;
  const content = createHash('sha256').update(bytes).digest('hex');
  const key = createHash('sha256')
    .update(JSON.stringify(['write', content, name, packageVersion(), options.kubernetesVersion, options.featureGates, budgetMs]))
    .digest('hex');
  const known = cachedValue(foundWrite, cache.find(key));
  if (known !== undefined) return known;
  const write = await studied(bytes, name, studies);
  // If the user ended the search, its result is incomplete, so the cache does not store the result.
  if (write !== undefined && !studies.signal.aborted) cache.store(key, JSON.stringify(write));
  return write;
}

async function studied(
  bytes: Uint8Array,
  name: string,
  { engine, options, budgetMs, signal }: StateStudies,
): Promise<FoundWrite | undefined> {
  const documents = await readDocuments(bytes, 'yaml', UNLIMITED, unqueuedEngine(engine));
  if (documents.kind !== 'answered') return undefined;
  const order = {
    definitions: documents.answer.definitions.map((slice, i) => ({ source: `#${i}`, slice })),
    objects: [],
    options,
    budgetMs,
    seed: 1,
    base: undefined,
    isTimed: false,
    isWanted: () => true,
  };
  const { rules, isPartial } = await studyDefinitions(engine, order, { signal });
  const [costliest] = rules
    .flatMap(({ definition, version, path, worst }) => (definition === name && worst ? [{ version, path, cost: worst.cost }] : []))
    .toSorted((a, b) => b.cost - a.cost);
  return costliest && { cost: costliest.cost, rule: { version: costliest.version, path: costliest.path }, isPartial };
}
