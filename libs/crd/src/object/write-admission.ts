import type { JsonObject } from '#go';
import type { Status } from '#kube';

/** A write between its reading and its storing, as admission sees it. */
export interface AdmittedWrite {
  readonly operation: 'CREATE' | 'UPDATE';
  readonly subresource: 'status' | undefined;
  readonly object: JsonObject;
  /** The stored object of an update. */
  readonly oldObject: JsonObject | undefined;
}

/** The result of admission for a write. */
export interface AdmissionAnswer {
  /** Ends the write. */
  readonly refusal: Status | undefined;
  readonly warnings: readonly string[];
}

/** The result of mutating admission for a write. */
export interface MutationAnswer extends AdmissionAnswer {
  /** Object with which the write continues if it is not refused. */
  readonly object: JsonObject;
}

/**
 * A port for admission policies. Mutating admission comes before the preparation and validation of the object,
 * validating admission after them. Source: k8s.io/apiserver/pkg/endpoints/handlers/create.go,
 * registry/generic/registry/store.go (1.37).
 */
export interface WriteAdmission {
  mutate(write: AdmittedWrite): MutationAnswer;
  validate(write: AdmittedWrite): AdmissionAnswer;
}
