import { isJsonObject, newJsonObject, utf8Bytes, writeJson } from '#go';
import type { JsonObject } from '#go';
import { groupOf } from '#kube';
import { readSlice } from '#documents';
import type { DocumentSlice } from '#documents';

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

/**
 * Returns a key that identifies an object; undefined if the object has no kind or no name. A missing namespace counts as `default`, so that
 * cluster-scoped objects match too.
 */
function identityOf({ apiVersion, kind, metadata }: JsonObject): string | undefined {
  const { name, namespace = 'default' } = isJsonObject(metadata) ? metadata : {};
  if (typeof apiVersion !== 'string' || typeof kind !== 'string' || typeof name !== 'string') return undefined;
  return JSON.stringify([groupOf(apiVersion), kind, String(namespace), name]);
}
