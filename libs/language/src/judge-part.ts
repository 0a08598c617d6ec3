import { validateObject } from '#crd';
import type { CompiledDefinition } from '#crd';
import { Cancelled } from '#go';
import type { CancellationToken, JsonObject } from '#go';
import type { Minor, Status } from '#kube';
import { checkTypes, readValidatingPolicy, reviewPolicy, Unreadable } from '#policy';
import type { ExpressionWarning, TypeCheckingServer } from '#policy';

/** Findings of a server about a write that editors show. */
export interface WriteFindings {
  readonly status: Status | undefined;
  readonly warnings: readonly string[];
}

/** Judges the creation of an object by its definition. Throws `Cancelled`. */
export function judgeObject(
  definition: CompiledDefinition,
  body: JsonObject | string,
  version: string,
  token?: CancellationToken,
): WriteFindings {
  const verdict = validateObject(
    definition,
    { operation: 'CREATE', body, version, fieldValidation: 'Strict', ownedFields: 'takenOff' },
    { ...(token && { token }) },
  );
  if ('cancelled' in verdict) throw new Cancelled();
  return { status: verdict.accepted ? undefined : verdict.status, warnings: verdict.warnings };
}

/**
 * Returns the type-checking warnings about the expressions of a validating policy, by field, as a server writes them to
 * `status.typeChecking`. `server` is called only for policies, because reading all schemas takes time.
 */
export function typeWarnings(object: JsonObject, server: () => TypeCheckingServer): readonly ExpressionWarning[] {
  if (object['kind'] !== 'ValidatingAdmissionPolicy') return [];
  try {
    return checkTypes(readValidatingPolicy(object), server()).warnings;
  } catch (thrown) {
    if (thrown instanceof Unreadable) return [];
    throw thrown;
  }
}

/** Judges the creation of an admission policy or binding; undefined for objects of other kinds. Throws `Cancelled`. */
export function judgePolicy(object: JsonObject, minor: Minor, token?: CancellationToken): WriteFindings | undefined {
  if (!String(object['apiVersion']).startsWith('admissionregistration.k8s.io/')) return undefined;
  const review = reviewPolicy(object, { minor, ...(token && { token }) });
  return review && { status: review.refusal, warnings: review.warnings };
}
