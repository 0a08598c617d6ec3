import type { ProgramRun } from '../expressions/evaluate-list.ts';
import type { MatchedAs } from '../expressions/request-value.ts';

/** The result of admission for a request, with all evaluations. */
export interface AdmissionVerdict {
  /** Absent: admitted. */
  readonly refusal: Refusal | undefined;
  /** Texts of the Warning headers, in order, as many and as long as a server sends. */
  readonly warnings: readonly string[];
  /** Values that the policies add to the audit event, by key. */
  readonly auditAnnotations: ReadonlyMap<string, string>;
  /** Policies with bindings, in their order, as far as the request came. */
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
  /** Undefined: the policy does not apply, or `error` says why that is not known. */
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
  /** The parameter: its name, after its namespace and a slash where it has one; empty: none. */
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
  /** Empty where it admits. */
  readonly message: string;
  /** The reason of a denial; empty where an error denies. */
  readonly reason: string;
}

/** The result of an audit annotation. */
export interface AnnotationOutcome {
  readonly key: string;
  readonly action: 'publish' | 'exclude' | 'error';
  readonly value: string;
  readonly error: string;
}
