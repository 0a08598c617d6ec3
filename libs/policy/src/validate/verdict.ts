import type { ProgramRun } from '../expressions/evaluate-expressions.ts';
import type { MatchedAs } from '../expressions/request-values.ts';

/** Result of the validating policies for a request, with all evaluations. */
export interface AdmissionVerdict {
  /** Refusal of the request; undefined if the request is admitted. */
  readonly refusal: PolicyRefusal | undefined;
  /** Texts of the Warning headers, in order. Their number and lengths are limited as in a server. */
  readonly warnings: readonly string[];
  /** Values that the policies add to the audit event, by key. */
  readonly auditAnnotations: ReadonlyMap<string, string>;
  /** Results of all policies that have bindings, in order. Policies that were skipped after an early refusal are missing. */
  readonly policies: readonly PolicyOutcome[];
}

/** Content of the Status (metav1.Status) for a refused request. */
export interface PolicyRefusal {
  readonly code: number;
  readonly reason: string;
  readonly message: string;
  /** Messages of the causes in the Status. Empty if the refusal names no causes. */
  readonly causes: readonly string[];
}

/** Result of one policy for a request. */
export interface PolicyOutcome {
  readonly policy: string;
  /**
   * Resource and kind under which the policy matched the request. Undefined if the policy does not apply, or if matching failed with
   * `error`.
   */
  readonly matched: MatchedAs | undefined;
  readonly error: string | undefined;
  readonly bindings: readonly BindingOutcome[];
}

/** Result of one binding of a policy for a request. */
export interface BindingOutcome {
  readonly binding: string;
  readonly matched: boolean;
  readonly error: string | undefined;
  /** Evaluations of the policy: one for each parameter object, or a single one if there are no parameters. */
  readonly runs: readonly PolicyRun[];
}

/** Result of evaluating a policy for one parameter object, or without a parameter object. */
export interface PolicyRun {
  /** Parameter object: its name, or `namespace/name` if the object has a namespace. Empty if there is no parameter object. */
  readonly param: string;
  /**
   * Decisions in the order of the validations. If an error prevented the validations, there is a single decision. Empty if the match
   * conditions exclude the request.
   */
  readonly decisions: readonly Decision[];
  readonly auditAnnotations: readonly AnnotationOutcome[];
  /** Records of all evaluated expressions, in the order in which the evaluations ended. */
  readonly evaluations: readonly ProgramRun[];
}

/** Decision about a request that results from one validation. */
export interface Decision {
  readonly action: 'admit' | 'deny';
  /** Result of the validation before the failure policy is applied. */
  readonly evaluation: 'admit' | 'deny' | 'error';
  /**
   * Message of the denial or the error; empty if the validation succeeded. An error has a message even if the failure policy `Ignore`
   * admits the request.
   */
  readonly message: string;
  /** Reason of the denial; empty if the request is admitted or an error causes the denial. */
  readonly reason: string;
  /** Why the messageExpression of a denial has no effect; absent if it has an effect, or if there is none. */
  readonly unusedMessage?: string;
}

/** Result of evaluating one audit annotation. */
export interface AnnotationOutcome {
  readonly key: string;
  readonly action: 'publish' | 'exclude' | 'error';
  readonly value: string;
  readonly error: string;
}
