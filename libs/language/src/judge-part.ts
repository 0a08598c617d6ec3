import { validateObject } from '#crd';
import type { CompiledDefinition } from '#crd';
import { Cancelled } from '#go';
import type { CancellationToken, JsonObject } from '#go';
import { invalidStatus } from '#kube';
import type { Minor, Status } from '#kube';
import { Unreadable, validateBinding, validatePolicy } from '#policy';

/** What a server says of a write, as far as editors show it. */
export interface WriteFindings {
  readonly status: Status | undefined;
  readonly warnings: readonly string[];
}

const NOTHING: WriteFindings = { status: undefined, warnings: [] };

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

const POLICY_GROUP = 'admissionregistration.k8s.io';
type Judge = (document: JsonObject, minor: Minor) => ReturnType<typeof validatePolicy>;
const POLICY_KINDS: Readonly<Record<string, Judge>> = {
  ValidatingAdmissionPolicy: (document, minor) => validatePolicy(document, undefined, minor),
  ValidatingAdmissionPolicyBinding: (document) => validateBinding(document),
};

/** Judges the creation of an admission policy or binding; undefined for objects of other kinds. */
export function judgePolicy(object: JsonObject, minor: Minor): WriteFindings | undefined {
  const kind = String(object['kind']);
  const judge =
    String(object['apiVersion']).startsWith(`${POLICY_GROUP}/`) && Object.hasOwn(POLICY_KINDS, kind) ? POLICY_KINDS[kind] : undefined;
  if (judge === undefined) return undefined;
  try {
    const errors = judge(object, minor);
    const name = (object['metadata'] as JsonObject | undefined)?.['name'];
    return errors.length === 0 ? NOTHING : { ...NOTHING, status: invalidStatus({ group: POLICY_GROUP, kind }, String(name ?? ''), errors) };
  } catch (error) {
    if (error instanceof Unreadable) return { ...NOTHING, warnings: [error.message] };
    throw error;
  }
}
