import { readSlice } from '#documents';
import type { DefinitionSlice, DocumentSlice } from '#documents';
import { isJsonObject, newJsonObject, utf8Bytes, writeJson } from '#go';
import type { JsonObject } from '#go';
import { groupOf } from '#kube';
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

interface Sliced {
  readonly slice: DocumentSlice;
}

/**
 * Returns the documents of `objects`, with each create replaced by an update if `oldObjects` contains its old object. An old object has the
 * same group, kind, namespace and name. All other documents remain creates.
 *
 * Removes `uid` and `resourceVersion` from an updated object unless `asSent` is true, because these fields differ between two dumps of one
 * object.
 */
export function pairDocuments<Document extends Sliced>(
  objects: readonly Document[],
  oldObjects: readonly Sliced[],
  { asSent }: { readonly asSent: boolean },
): Document[] {
  const old = new Map(
    oldObjects.flatMap((document) => {
      const object = objectIn(document);
      const key = object && identityOf(object);
      return key === undefined ? [] : [[key, object] as const];
    }),
  );
  return objects.map((document) => {
    const object = objectIn(document);
    const key = object && identityOf(object);
    const before = key === undefined ? undefined : old.get(key);
    if (object === undefined || before === undefined) return document;
    const update = `{"object":${writeJson(asSent ? object : withoutState(object))},"oldObject":${writeJson(before)}}`;
    return { ...document, slice: { bytes: utf8Bytes(update), notation: 'json' } };
  });
}

function withoutState(object: JsonObject): JsonObject {
  const { uid: _, resourceVersion: __, ...metadata } = isJsonObject(object['metadata']) ? object['metadata'] : {};
  return Object.assign(newJsonObject(), object, { metadata: Object.assign(newJsonObject(), metadata) });
}

function objectIn({ slice }: Sliced): JsonObject | undefined {
  const reading = readSlice(slice);
  return reading.ok && isJsonObject(reading.value) ? reading.value : undefined;
}

/**
 * Returns a key that identifies an object; undefined if the object has no kind or no name. A missing namespace counts as `default`, so that
 * cluster-scoped objects match too.
 */
function identityOf({ apiVersion, kind, metadata }: JsonObject): string | undefined {
  const { name, namespace = 'default' } = isJsonObject(metadata) ? metadata : {};
  if (typeof apiVersion !== 'string' || typeof kind !== 'string' || typeof name !== 'string') return undefined;
  return JSON.stringify([groupOf(apiVersion), kind, String(namespace), name]);
}
