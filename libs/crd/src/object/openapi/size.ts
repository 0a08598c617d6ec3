import { invalid, tooFew, tooMany, wordedBecauseOf } from '#kube';
import type { FieldError, TooManyWords } from '#kube';
import { CRD_CHANGES } from '../../minors/minors.ts';
import type { SchemaWalk } from './schema-walk.ts';

/** Unit in which the size of a value is counted. */
type Unit = 'items' | 'properties';

/** Checks `size` against `minItems` or `minProperties`. Adds an error to `walk` if `size` is below the limit. */
export function checkMin(size: number, { limit, isTyped }: MinSize, unit: Unit, walk: SchemaWalk): void {
  if (size >= limit) return;
  const name = walk.name;
  const text = `${name} in body should have at least ${limit} ${unit}`;
  const toError = (field: string): FieldError => (isTyped ? tooFew(field, size, limit) : invalid(field, size, text));
  walk.add({ text, name, toError: (field) => wordedBecauseOf(toError(field), CRD_CHANGES.shortagesAreTyped) });
}

/** Minimum size. `isTyped` is true if the error for a smaller size has a type of its own. */
interface MinSize {
  readonly limit: number | bigint;
  readonly isTyped: boolean;
}

/** Validates `maxItems` or `maxProperties`. */
export function checkMax(size: number, { limit, sentence }: SizeLimit, unit: Unit, walk: SchemaWalk): void {
  if (size <= limit) return;
  const name = walk.name;
  const text = `${name} in body should have at most ${limit} ${unit}`;
  walk.add({ text, name, toError: (field) => tooMany(field, size, Number(limit), sentence) });
}

/** Maximum size, with the wording that the Kubernetes minor version uses in the error for a larger size. */
interface SizeLimit {
  readonly limit: number | bigint;
  readonly sentence: TooManyWords;
}
