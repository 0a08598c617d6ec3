import { judgeDefinition, storedDefinition } from '#crd';
import { badRequestStatus, groupOf } from '#kube';
import type { EngineChoice } from '#cel';
import type { ObjectVerdict, ObjectWrite, WriteAdmission } from '#crd';
import type { JsonObject } from '#go';
import type { Server, Status } from '#kube';

/** Server's verdict on a write whose evaluation was not cancelled. */
type WriteVerdict = Exclude<ObjectVerdict, { readonly cancelled: true }>;

/** Options for computing the verdict on a write of a CustomResourceDefinition. */
export interface DefinitionWriteOptions extends Server {
  readonly engine: EngineChoice | undefined;
  readonly admission: WriteAdmission | undefined;
}

/** Returns true if a kind is CustomResourceDefinition. */
export const isDefinitionKind = (apiVersion: string, kind: string): boolean =>
  kind === 'CustomResourceDefinition' && groupOf(apiVersion) === 'apiextensions.k8s.io';

/**
 * Computes the verdict on a create or update of a CustomResourceDefinition under admission policies. First the definition is decoded,
 * defaulted, prepared for storage and validated. Then the validating policies are evaluated. They receive the definition in its v1 form,
 * including its status. Mutating policies are not evaluated.
 */
export function judgeDefinitionWrite(write: ObjectWrite, { minor, gates, engine, admission }: DefinitionWriteOptions): WriteVerdict {
  const { body, contentType, oldObject, operation, subresource, fieldValidation, ownedFields } = write;
  const strictness = (['Strict', 'Warn', 'Ignore'] as const).find((known) => known === fieldValidation) ?? 'Warn';
  const verdict = judgeDefinition(body, oldObject, {
    minor,
    gates,
    engine,
    fieldValidation: strictness,
    ownedFields,
    ...(contentType !== undefined && { contentType }),
  });
  const { stored, status, errors, warnings } = verdict;
  if (status !== undefined) return refused(status, errors, warnings);
  const old = oldObject && storedDefinition(oldObject);
  if (oldObject !== undefined && old === undefined)
    return refused(badRequestStatus('oldObject: no definition that can be read'), [], warnings);
  const object = stored as JsonObject;
  const answer = admission?.validate({ operation, subresource, object, oldObject: old });
  const allWarnings = [...warnings, ...(answer?.warnings ?? [])];
  if (answer?.refusal !== undefined) return refused(answer.refusal, [], allWarnings);
  return { accepted: true, object, warnings: allWarnings, cost: { cel: undefined } };
}

const refused = (status: Status, errors: WriteVerdictErrors, warnings: readonly string[]): WriteVerdict => ({
  accepted: false,
  status,
  errors,
  warnings,
  cost: { cel: undefined },
});

type WriteVerdictErrors = Extract<WriteVerdict, { readonly accepted: false }>['errors'];
