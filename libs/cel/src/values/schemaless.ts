import { viewJson } from './json-view.ts';
import type { JsonValue } from '#go';
import { CelError } from './value.ts';
import type { CelValue } from './value.ts';
import { RawList, RawMap } from './wrap.ts';

/**
 * Returns the CEL value that replaces a value whose schema is unknown. If the value contains JSON data of an object, the new value has
 * the same keys, without CEL's escapes, and scalars of JSON types. Returns all other values unchanged.
 *
 * An error is replaced by the error `unsupported conversion to ref.Val`, which upstream reports because a Go error is no CEL value. Source:
 * cel-go interpreter/attributes.go `applyQualifiers`, common/types/err.go `UnsupportedRefValConversionErr` (v0.17.8, v0.26.0).
 */
export function withoutSchema(value: CelValue): CelValue {
  if (value instanceof CelError) return new CelError(`unsupported conversion to ref.Val: (*errors.errorString)${value.message}`);
  return value instanceof RawMap || value instanceof RawList ? viewJson(value.raw as JsonValue) : value;
}
