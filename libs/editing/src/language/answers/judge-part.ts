import { validateObject } from '#crd';
import type { CompiledDefinition } from '#crd';
import { Cancelled } from '#go';
import type { CancellationToken, JsonObject } from '#go';
import type { Minor, Status } from '#kube';
import { checkTypes, readValidatingPolicy, reviewPolicy, Unreadable } from '#policy';
import type { TypeCheckingServer } from '#policy';
import type { TypeWarning } from '../../findings/type-warnings.ts';

/** Status and warnings with which a server answers a create or update request. An editor shows them as diagnostics. */
export interface WriteFindings {
  readonly status: Status | undefined;
  readonly warnings: readonly string[];
}

/**
 * Validates the creation of an object against its definition, with strict field validation. Throws `Cancelled` if the token is cancelled.
 */
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
 * Returns the warnings that a server writes to `status.typeChecking` of a validating policy. Returns an empty list for other objects and
 * for unreadable policies. `server` is called only for policies, because it reads all schemas, which takes time.
 */
export function typeWarnings(object: JsonObject, server: () => TypeCheckingServer): readonly TypeWarning[] {
  if (object['kind'] !== 'ValidatingAdmissionPolicy') return [];
  try {
    const { warnings } = checkTypes(readValidatingPolicy(object), server());
    return warnings.map(({ fieldRef, warning, suggestions }) => ({ fieldRef, warning, suggestions }));
  } catch (thrown) {
    if (thrown instanceof Unreadable) return [];
    throw thrown;
  }
}

/**
 * Validates an admission policy or binding as a new object. Returns the Status of a refusal and the warnings. Returns undefined for other
 * kinds of objects. Throws `Cancelled` if the token is cancelled.
 */
export function judgePolicy(object: JsonObject, minor: Minor, token?: CancellationToken): WriteFindings | undefined {
  if (!String(object['apiVersion']).startsWith('admissionregistration.k8s.io/')) return undefined;
  const review = reviewPolicy(object, { minor, ...(token && { token }) });
  return review && { status: review.refusal, warnings: review.warnings };
}
