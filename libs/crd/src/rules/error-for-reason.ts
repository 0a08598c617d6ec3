import { duplicate, forbidden, invalid, required } from '#kube';
import type { BadValueInput, FieldError, FieldPath } from '#kube';

/** Returns the error for a failed rule. `reason` determines the error type. Without a known reason the type is `Invalid value`. */
export function errorForReason(reason: string | undefined, path: FieldPath | undefined, value: BadValueInput, detail: string): FieldError {
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- any other reason is an invalid value
  switch (reason) {
    case 'FieldValueForbidden':
      return forbidden(path, detail);
    case 'FieldValueRequired':
      return required(path, detail);
    case 'FieldValueDuplicate':
      return duplicate(path, value);
    default:
      return invalid(path, value, detail);
  }
}
