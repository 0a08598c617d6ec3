import { readObjectMeta, storageErrorStatus, validateObjectMeta } from '#kube';
import type { JsonObject } from '#go';
import { ensureMetadata, prepareNewMetadata } from './write/prepare-object.ts';
import { claimsRevision, REVISION_ON_CREATE } from './write/stored-object.ts';
import { earlyAnswer, METADATA } from './write-request.ts';
import type { WriteOutcome, WriteRequest } from './write-request.ts';

/**
 * Creates an object. Steps: mutating admission → prepare the metadata → validate → check the properties that every resource must have →
 * validating admission. Source: registry/rest/create.go `BeforeCreate`, registry/generic/registry/store.go `Create` (1.37).
 */
export function createObject(request: WriteRequest, requested: JsonObject): WriteOutcome {
  const mutated = request.mutate(requested, undefined);
  if (mutated.kind === 'answered') return mutated;
  const { object } = mutated;
  const metadata = prepareMetadata(request, object);
  request.takeOffRevision(metadata);
  request.dedupOwners(metadata);
  const meta = readObjectMeta(metadata);
  const errors = request.validate({ object, old: undefined, meta, update: undefined });
  if (errors.length > 0) return { kind: 'invalid', errors, name: meta.name };
  const generic = validateObjectMeta(meta, request.metadataRules, METADATA);
  if (generic.length > 0) return { kind: 'invalid', errors: generic, name: meta.name };
  request.warnOfFinalizers(meta.finalizers, []);
  const admitted = request.admit(object, undefined);
  // On a create, only the storage checks the resource version.
  return admitted.kind === 'stored' && claimsRevision(meta.resourceVersion)
    ? earlyAnswer(storageErrorStatus(REVISION_ON_CREATE))
    : admitted;
}

function prepareMetadata({ version }: WriteRequest, object: JsonObject): JsonObject {
  const metadata = ensureMetadata(object);
  prepareNewMetadata(metadata, version.namespaced);
  if (version.hasStatus) delete object['status'];
  return metadata;
}
