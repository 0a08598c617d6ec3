import { deepEqualJson } from '#go';
import type { JsonObject } from '#go';

/**
 * Removes owner references that equal an earlier reference, in place. Returns a warning that names the removed references, or undefined if
 * none was removed. Source: k8s.io/apiserver/pkg/endpoints/handlers/rest.go `dedupOwnerReferencesAndAddWarning` (1.37).
 */
export function dedupOwnerReferences(metadata: JsonObject): string | undefined {
  const references = metadata['ownerReferences'];
  if (!Array.isArray(references)) return undefined;
  const kept = references.filter((reference, index) => references.findIndex((earlier) => deepEqualJson(earlier, reference)) === index);
  if (kept.length === references.length) return undefined;
  const dropped = references.filter((reference, index) => references.findIndex((earlier) => deepEqualJson(earlier, reference)) !== index);
  metadata['ownerReferences'] = kept;
  const uids = dropped.map((reference) => String((reference as JsonObject)['uid'])).join(', ');
  return (
    '.metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, ' +
    `and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${uids}`
  );
}
