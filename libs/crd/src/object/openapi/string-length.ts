import { codePointLength } from '#go';
import { invalid, tooLong, tooShort, wordedBecauseOf } from '#kube';
import type { FieldError, TooLongWords } from '#kube';
import { CRD_CHANGES } from '../../minors/minors.ts';
import type { SchemaWalk } from './schema-walk.ts';

/**
 * Validates `maxLength`. The length is counted in code points although the error message may mention bytes. Returns false if it is
 * violated.
 */
export function checkMaxLength(value: string, limit: number | bigint, words: TooLongWords, walk: SchemaWalk): boolean {
  if (value.length <= limit || codePointLength(value) <= limit) return true;
  const name = walk.name;
  const text = `${name} in body should be at most ${limit} chars long`;
  walk.add({ text, name, toError: (field) => tooLong(field, Number(limit), words) });
  return false;
}

/**
 * Validates `minLength`, counted in code points. Returns false if it is violated. If `isTyped` is true, the error for a shorter string has
 * a type of its own.
 */
export function checkMinLength(value: string, limit: number | bigint, isTyped: boolean, walk: SchemaWalk): boolean {
  if (codePointLength(value) >= limit) return true;
  const name = walk.name;
  const text = `${name} in body should be at least ${limit} chars long`;
  const toError = (field: string): FieldError => (isTyped ? tooShort(field, value, limit) : invalid(field, value, text));
  walk.add({ text, name, toError: (field) => wordedBecauseOf(toError(field), CRD_CHANGES.shortagesAreTyped) });
  return false;
}
