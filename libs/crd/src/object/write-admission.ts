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

/** What admission says of a write. */
export interface AdmissionAnswer {
  /** Ends the write. */
  readonly refusal: Status | undefined;
  readonly warnings: readonly string[];
}

/** What mutating admission says of a write. */
export interface MutationAnswer extends AdmissionAnswer {
  /** What the write goes on with, where it is not refused. */
  readonly object: JsonObject;
}

/**
 * Who else has a say in a write: a port that admission policies serve. Mutating admission comes before the object is prepared and validated, validating
 * admission after. Source: k8s.io/apiserver/pkg/endpoints/handlers/create.go, registry/generic/registry/store.go (1.37).
 */
export interface WriteAdmission {
  mutate(write: AdmittedWrite): MutationAnswer;
  validate(write: AdmittedWrite): AdmissionAnswer;
}
