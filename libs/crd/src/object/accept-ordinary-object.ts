import { MAX_BODY_BYTES } from '#kube';
import { FIELD_VALIDATIONS } from '../verdict.ts';
import type { ObjectVerdict, ObjectWrite, ValidationOptions } from '../verdict.ts';
import type { ServedVersion } from './served-version.ts';
import { Warnings } from './write/warnings.ts';

/**
 * Accepts a create whose object is ordinary, in one pass over its bytes (`schema-reader/`). Undefined for every other write, and for wishes that only the
 * exact steps fulfil: the costs of single rules, an observer, admission. The verdict is the same but for the times of the steps, which there are none of.
 */
export function acceptOrdinaryObject(version: ServedVersion, write: ObjectWrite, options: ValidationOptions): ObjectVerdict | undefined {
  const { reader, deprecation, rules } = version;
  const { body, contentType } = write;
  if (reader === undefined || write.operation !== 'CREATE' || write.subresource !== undefined || !(body instanceof Uint8Array))
    return undefined;
  if (options.explain === true || options.observer !== undefined || options.admission !== undefined) return undefined;
  if ((contentType !== undefined && contentType !== 'application/json') || body.length > MAX_BODY_BYTES) return undefined;
  if (!FIELD_VALIDATIONS.includes(write.fieldValidation)) return undefined;
  const accepted = reader.read(body, write, options);
  if (accepted === undefined) return undefined;
  const { object, cost, sent, tookOff } = accepted;
  return {
    accepted: true,
    object,
    warnings: deprecation === undefined ? NONE : warningsOf(deprecation),
    cost: { cel: rules === undefined ? 0 : cost },
    sent,
    ...(tookOff && { takenOff: true }),
  };
}

const NONE: readonly string[] = [];

function warningsOf(text: string): readonly string[] {
  const warnings = new Warnings();
  warnings.add(text);
  return warnings.texts;
}
