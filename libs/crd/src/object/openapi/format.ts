import { goQuote } from '#go';
import { formatChange, typeInvalid } from '#kube';
import type { FormatCheck } from '#kube';
import type { SchemaWalk } from './schema-walk.ts';

/**
 * Validates a string against `format`, and reports a mismatch to `walk`. A mismatch is a type error, so the rules of the object are not
 * evaluated.
 */
export function checkFormat(value: string, format: string, check: FormatCheck, walk: SchemaWalk): void {
  if (check(value)) return;
  const name = walk.name;
  const text = `${name} in body must be of type ${format}: ${goQuote(value)}`;
  const change = formatChange(format);
  walk.add({ text, name, toError: (field) => typeInvalid(field, value, text), because: change && [change] });
}
