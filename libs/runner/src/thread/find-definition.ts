import { badRequestStatus, groupOf, notFoundStatus, versionOf } from '#kube';
import type { Status } from '#kube';
import type { CompiledDefinition } from '#crd';
import type { JudgingSettings } from '#evaluation';
import type { DefinitionCache } from './definition-cache.ts';
import type { ItemWrite } from './read-item.ts';

/**
 * Definition by which an item (an object to evaluate) is evaluated, or the Status that says why there is none. `missing` is true if the
 * evaluation has no definition of the item's kind and version.
 */
export type FoundDefinition =
  | { readonly ok: true; readonly definition: CompiledDefinition }
  | { readonly ok: false; readonly status: Status; readonly missing?: boolean };

/**
 * Returns the definition for the group, kind and version of an object to evaluate. Returns a Status if there is no such definition, or if a
 * server would refuse it.
 */
export function findDefinition(write: ItemWrite, settings: JudgingSettings, cache: DefinitionCache): FoundDefinition {
  const group = groupOf(write.apiVersion);
  const version = versionOf(write.apiVersion);
  if (write.kind === '' || write.apiVersion === '')
    return { ok: false, status: badRequestStatus('apiVersion and kind of the object must be set, to find its definition') };
  const refused = settings.refused.find((candidate) => candidate.groupKind === `${group}/${write.kind}`);
  if (refused) return { ok: false, status: JSON.parse(refused.status) as Status };
  const key = settings.definitions.find((candidate) => candidate.group === group && candidate.kind === write.kind);
  const cached = key && cache.get(key.digest);
  if (cached && !cached.ok) return cached;
  if (!cached?.definition.versions.includes(version)) {
    const status = notFoundStatus({ group, resource: write.kind }, version);
    return {
      ok: false,
      missing: true,
      status: { ...status, message: `no definition of kind "${write.kind}" in version "${write.apiVersion}" was given` },
    };
  }
  return cached;
}
