import { isJsonObject } from '#go';
import type { JsonObject } from '#go';
import { readSlice } from '#documents';
import type { DefinitionSlice } from '#documents';
import { sharedSteps } from './match-rules.ts';

/** Definition of one state, with the place of its document. */
export interface SourcedDefinition {
  /** File and number of the document, such as `crds.yaml#1` or `HEAD:crds.yaml#1`. Definitions of one name are paired by it. */
  readonly source: string;
  readonly slice: DefinitionSlice;
}

/** Definition that was read: its document and its value. */
export interface ReadDefinition extends SourcedDefinition {
  readonly value: JsonObject;
}

/** Two states of a definition. One of them is undefined if the definition is new, or if it is gone. */
export interface DefinitionPair {
  readonly name: string;
  readonly from: ReadDefinition | undefined;
  readonly to: ReadDefinition | undefined;
}

/**
 * Pairs the definitions of two states by their names, sorted by name. If several files have a definition of one name, each newer definition
 * gets the older one in the file with the most similar path. A document without a readable name is left out.
 */
export function pairDefinitions(from: readonly SourcedDefinition[], to: readonly SourcedDefinition[]): readonly DefinitionPair[] {
  const [before, after] = [byName(from), byName(to)];
  const names = [...new Set([...before.keys(), ...after.keys()])].sort();
  return names.flatMap((name): DefinitionPair[] => {
    const [old, now] = [before.get(name) ?? [], after.get(name) ?? []];
    if (now.length === 0) return old.slice(0, 1).map((one) => ({ name, from: one, to: undefined }));
    return now.map((one) => ({ name, from: mostSimilar(old, one), to: one }));
  });
}

function mostSimilar(candidates: readonly ReadDefinition[], { source }: ReadDefinition): ReadDefinition | undefined {
  const likeness = (one: ReadDefinition): number => sharedSteps(fileOf(one.source), fileOf(source));
  return candidates.toSorted((a, b) => likeness(b) - likeness(a))[0];
}

/** Returns the path of a file without the revision before it. */
const fileOf = (source: string): string => source.replace(/^[^/:]*:/, '');

function byName(definitions: readonly SourcedDefinition[]): ReadonlyMap<string, readonly ReadDefinition[]> {
  const read = definitions.flatMap((definition) => {
    const reading = readSlice(definition.slice);
    const value = reading.ok && isJsonObject(reading.value) ? reading.value : undefined;
    const name = value && isJsonObject(value['metadata']) ? value['metadata']['name'] : undefined;
    return value && typeof name === 'string' ? [{ ...definition, value, name }] : [];
  });
  return Map.groupBy(read, ({ name }) => name);
}
