import { utf8Bytes, utf8Text, writeJson } from '#go';
import { checkQualifiedName } from '#kube';
import { policyHas } from '../minors.ts';
import type { Minor } from '#kube';
import type { JsonObject } from '#go';

/**
 * Maximum length of an annotation's value in bytes. Source of this file:
 * k8s.io/apiserver/pkg/admission/plugin/policy/validating/dispatcher.go (1.37).
 */
const MAX_VALUE_BYTES = 10 * 1024;
/** Maximum number of failures that an audit event contains. */
const MAX_FAILURES = 50;
const FAILURES_KEY = 'validation.policy.admission.k8s.io/validation_failure';

/** Failed validation under a binding whose actions include `Audit`. */
export interface ValidationFailure {
  readonly message: string;
  readonly policy: string;
  readonly binding: string;
  /** Index of the validation in its policy. */
  readonly expressionIndex: number;
  readonly validationActions: readonly string[];
}

/** The annotations that admission adds to the audit event of a request. */
export class AuditEvent {
  readonly annotations = new Map<string, string>();
  readonly #minor: Minor;
  readonly #failures: ValidationFailure[] = [];

  constructor(minor: Minor) {
    this.#minor = minor;
  }

  /** Sets an annotation. Does nothing if the key has an invalid form or already has a value. */
  annotate(key: string, value: string): void {
    const isKey = key.split('/').length === 2 && checkQualifiedName(key).length === 0;
    if (isKey && !this.annotations.has(key)) this.annotations.set(key, value);
  }

  fail(failure: ValidationFailure): void {
    this.#failures.push(failure);
    if (!policyHas(this.#minor, 'failuresAreCollected')) this.#annotateFailures([failure]);
  }

  /**
   * Writes all failures into one annotation if the Kubernetes minor version collects failures. For earlier minor versions, the annotation
   * already contains the first failure, and nothing is written.
   */
  end(): void {
    if (this.#failures.length > 0 && policyHas(this.#minor, 'failuresAreCollected'))
      this.#annotateFailures(this.#failures.slice(0, MAX_FAILURES));
  }

  #annotateFailures(failures: readonly ValidationFailure[]): void {
    const json = failures.map(({ message, policy, binding, expressionIndex, validationActions }): JsonObject => ({
      message,
      policy,
      binding,
      expressionIndex,
      validationActions: [...validationActions],
    }));
    this.annotate(FAILURES_KEY, writeJson(json, { escapeHtml: true, keys: 'own' }));
  }
}

/**
 * Audit annotations of one policy over all its bindings and parameter objects. If a key has several different values, they are joined in
 * one annotation.
 */
export class PolicyAnnotations {
  readonly #values = new Map<string, Set<string>>();

  add(key: string, value: string): void {
    const values = this.#values.get(key) ?? new Set();
    this.#values.set(key, values.add(cut(value)));
  }

  publish(policy: string, event: AuditEvent): void {
    for (const [key, values] of this.#values) event.annotate(`${policy}/${key}`, [...values].join(', '));
  }
}

/** Shortens a text to the maximum length of an annotation value in bytes. The shortened text may end within a multi-byte character. */
function cut(value: string): string {
  const bytes = utf8Bytes(value);
  return bytes.length <= MAX_VALUE_BYTES ? value : utf8Text(bytes.subarray(0, MAX_VALUE_BYTES));
}
