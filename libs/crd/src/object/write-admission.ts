import type { JsonObject } from '#go';
import type { Status } from '#kube';

/** Create or update of an object, as admission receives it: after the server decoded the object and before the server stores the object. */
export interface AdmittedWrite {
  readonly operation: 'CREATE' | 'UPDATE';
  readonly subresource: 'status' | undefined;
  readonly object: JsonObject;
  /** Stored object of an update; undefined for a create. */
  readonly oldObject: JsonObject | undefined;
}

/** Result of admission for a write request (the create or update of an object). */
export interface AdmissionAnswer {
  /** Status that rejects the write; undefined if the write is admitted. */
  readonly refusal: Status | undefined;
  readonly warnings: readonly string[];
}

/** Result of mutating admission for a write. */
export interface MutationAnswer extends AdmissionAnswer {
  /** Mutated object with which the write continues. It is ignored if the write is refused. */
  readonly object: JsonObject;
}

/**
 * Interface to admission policies. Mutating admission runs before the preparation and validation of the object, and validating admission
 * runs after them. Source: k8s.io/apiserver/pkg/endpoints/handlers/create.go, registry/generic/registry/store.go (1.37).
 */
export interface WriteAdmission {
  mutate(write: AdmittedWrite): MutationAnswer;
  validate(write: AdmittedWrite): AdmissionAnswer;
}
