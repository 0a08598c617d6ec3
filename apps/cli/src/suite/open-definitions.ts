import { isJsonObject, readJson } from '#go';
import type { JsonObject } from '#go';
import type { PlacedDocument } from '../documents/read-documents.ts';

/**
 * Returns definitions for objects whose kinds have no definition. The definitions are namespaced and allow any field, because a tool
 * without a server accepts these objects unchanged. Plurals are guessed with the rules of k8s.io/apimachinery (`UnsafeGuessKindToResource`,
 * 1.37). Groups that no custom definition can have are left out.
 */
export function openDefinitions(items: readonly PlacedDocument[]): PlacedDocument[] {
  const types = new Map<string, { readonly group: string; readonly version: string; readonly kind: string }>();
  for (const { slice } of items) {
    const reading = readJson(slice.bytes);
    const written = reading.ok && isJsonObject(reading.value) ? objectIn(reading.value) : undefined;
    const [group = '', version] = String(written?.['apiVersion']).split('/');
    const kind = written?.['kind'];
    if (version !== undefined && typeof kind === 'string' && group.includes('.'))
      types.set(`${group} ${version} ${kind}`, { group, version, kind });
  }
  const byKind = Map.groupBy(types.values(), ({ group, kind }) => `${group} ${kind}`);
  return [...byKind.values()].flatMap((versions) => {
    const [first] = versions;
    if (first === undefined) return [];
    const definition = openDefinition(
      first.group,
      first.kind,
      versions.map(({ version }) => version),
    );
    return { source: `definition of ${first.kind}`, slice: { bytes: Buffer.from(JSON.stringify(definition)), notation: 'json' as const } };
  });
}

/** Returns a definition of a kind whose objects may have any fields. */
export function openDefinition(group: string, kind: string, versions: readonly string[]): unknown {
  const singular = kind.toLowerCase();
  const plural = singular.endsWith('s') ? `${singular}es` : singular.endsWith('y') ? `${singular.slice(0, -1)}ies` : `${singular}s`;
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `${plural}.${group}`,
      ...(/\.k8s\.io$|^k8s\.io$|\.kubernetes\.io$/.test(group) && {
        annotations: { 'api-approved.kubernetes.io': 'unapproved, for a suite' },
      }),
    },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, singular, kind, listKind: `${kind}List` },
      versions: versions.map((name, i) => ({ name, served: true, storage: i === 0, schema })),
    },
  };
}

/** Returns the object that a batch item writes: its `object` or `oldObject`, or the item itself. */
function objectIn(item: JsonObject): JsonObject {
  const object = item['object'] ?? item['oldObject'];
  return item['kind'] === undefined && isJsonObject(object) ? object : item;
}
