import { versionOf } from '#kube';
import type { ObjectWrite, ValidationOptions } from '#crd';
import type { EvaluationOptions } from '#documents';
import type { ItemWrite } from './read-item.ts';

/**
 * Converts a parsed item of an evaluation request to the create or update of an object. `options` contains the values for settings that the
 * item does not contain.
 */
export function objectWrite(
  { settings, oldObject, body, contentType, yaml, apiVersion }: ItemWrite,
  options: EvaluationOptions,
): ObjectWrite {
  return {
    operation: settings.operation ?? (oldObject || settings.subresource ? 'UPDATE' : 'CREATE'),
    ...(settings.subresource && { subresource: settings.subresource }),
    body,
    contentType,
    ...(yaml && { yaml }),
    ...(oldObject && { oldObject }),
    fieldValidation: settings.fieldValidation ?? options.fieldValidation,
    ownedFields: ownedFields(options.asSent),
    version: versionOf(apiVersion),
  };
}

/**
 * Returns the option of a write request for the fields that a server sets itself, such as resourceVersion. `asSent`: the fields are
 * validated with the values in the request. `takenOff`: the fields may be removed first, so that a dump of another cluster is not rejected
 * because of them.
 */
export const ownedFields = (asSent: boolean): NonNullable<ObjectWrite['ownedFields']> => (asSent ? 'asSent' : 'takenOff');

/** Returns the cost limits for the evaluation of one object. */
export function validationLimits({
  costLimits: { perCall, perObject },
}: EvaluationOptions): Pick<ValidationOptions, 'costLimit' | 'budget'> {
  return { ...(perCall !== undefined && { costLimit: units(perCall) }), ...(perObject !== undefined && { budget: units(perObject) }) };
}

const units = (limit: number | 'unlimited'): number => (limit === 'unlimited' ? Number.MAX_SAFE_INTEGER : limit);
