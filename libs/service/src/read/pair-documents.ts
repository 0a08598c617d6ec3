import { isJsonObject, newJsonObject, utf8Bytes, writeJson } from '#go';
import type { JsonObject } from '#go';
import { groupOf } from '#kube';
import { readSlice } from '#evaluation';
import type { DocumentSlice } from '#evaluation';

interface Sliced {
  readonly slice: DocumentSlice;
}

/**
 * Makes updates of those objects that are among the old ones, too: by group, kind, namespace and name. The others stay creates. The uid and the
 * revision of an object are left out, unless they are wanted `asSent`: two dumps of one object have different ones.
 */
export function pairDocuments<Document extends Sliced>(
  objects: readonly Document[],
  oldObjects: readonly Sliced[],
  asSent: boolean,
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

/** Undefined for what has no kind or no name. A namespace that is left out is the default one, or none. */
function identityOf({ apiVersion, kind, metadata }: JsonObject): string | undefined {
  const { name, namespace = 'default' } = isJsonObject(metadata) ? metadata : {};
  if (typeof apiVersion !== 'string' || typeof kind !== 'string' || typeof name !== 'string') return undefined;
  return JSON.stringify([groupOf(apiVersion), kind, String(namespace), name]);
}
