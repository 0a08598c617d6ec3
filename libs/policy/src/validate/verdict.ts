import type { ProgramRun } from '../expressions/evaluate-list.ts';
import type { MatchedAs } from '../expressions/request-value.ts';

/** The result of admission for a request, with all evaluations. */
export interface AdmissionVerdict {
  /** Refusal of the request; undefined if the request is admitted. */
  readonly refusal: Refusal | undefined;
  /** Texts of the Warning headers, in order, as many and as long as a server sends. */
  readonly warnings: readonly string[];
  /** Values that the policies add to the audit event, by key. */
  readonly auditAnnotations: ReadonlyMap<string, string>;
  /** Outcomes of the policies with bindings, in order. Policies after an early refusal are missing. */
  readonly policies: readonly PolicyOutcome[];
}

/** The metav1.Status of a refused request. */
export interface Refusal {
  readonly code: number;
  readonly reason: string;
  readonly message: string;
  /** Messages of the causes. */
  readonly causes: readonly string[];
}

/** The result of one policy. */
export interface PolicyOutcome {
  readonly policy: string;
  /**
   * Resource and kind as which the policy matched the request. Undefined if the policy does not apply or if matching failed with `error`.
   */
  readonly matched: MatchedAs | undefined;
  readonly error: string | undefined;
  readonly bindings: readonly BindingOutcome[];
}

/** The result of one binding. */
export interface BindingOutcome {
  readonly binding: string;
  readonly matched: boolean;
  readonly error: string | undefined;
  /** One for each parameter object, or one without. */
  readonly runs: readonly PolicyRun[];
}

/** One evaluation of a policy. */
export interface PolicyRun {
  /** Parameter object: its name, or `namespace/name` if the object has a namespace. Empty if there is no parameter object. */
  readonly param: string;
  /** Decisions by validation, or a single one with an error. Empty if the match conditions exclude the request. */
  readonly decisions: readonly Decision[];
  readonly auditAnnotations: readonly AnnotationOutcome[];
  /** Every run of a program, in the order in which they ended. */
  readonly evaluations: readonly ProgramRun[];
}

/** The result of a validation. */
export interface Decision {
  readonly action: 'admit' | 'deny';
  /** Result of the validation before its failure policy. */
  readonly evaluation: 'admit' | 'deny' | 'error';
  /** Message of the denial; empty if the request is admitted. */
  readonly message: string;
  /** Reason of the denial; empty if an error causes the denial. */
  readonly reason: string;
}

/** The result of an audit annotation. */
export interface AnnotationOutcome {
  readonly key: string;
  readonly action: 'publish' | 'exclude' | 'error';
  readonly value: string;
  readonly error: string;
}
