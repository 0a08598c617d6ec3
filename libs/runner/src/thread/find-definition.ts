import { badRequestStatus, groupOf, noMatchStatus, notFoundStatus, versionOf } from '#kube';
import type { Status } from '#kube';
import type { CompiledDefinition } from '#crd';
import type { JudgingSettings } from '#documents';
import type { DefinitionCache } from './definition-cache.ts';
import type { ItemWrite } from './read-item.ts';

/**
 * Definition by which an item (an object to evaluate) is evaluated, or the Status that says why there is none. `why` is `missing` if the
 * evaluation has no definition of the item's kind. It is `unserved` if the definition does not serve the item's version, so that a server
 * refuses the write. Otherwise no verdict is possible.
 */
export type FoundDefinition =
  | { readonly ok: true; readonly definition: CompiledDefinition }
  | { readonly ok: false; readonly status: Status; readonly why?: 'missing' | 'unserved' };

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
  if (cached === undefined) {
    const status = notFoundStatus({ group, resource: write.kind }, version);
    return {
      ok: false,
      why: 'missing',
      status: { ...status, message: `no definition of kind "${write.kind}" in version "${write.apiVersion}" was given` },
    };
  }
  if (!cached.definition.versions.includes(version))
    return { ok: false, why: 'unserved', status: noMatchStatus(write.apiVersion, write.kind) };
  return cached;
}
