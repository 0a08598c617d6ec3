import { goQuote } from '#go';
import { typeInvalid } from '#kube';
import type { FormatCheck } from '#kube';
import type { SchemaWalk } from './schema-walk.ts';

/** `format` of a string. A violation is one of type, so it keeps rules from being evaluated. */
export function checkFormat(value: string, format: string, check: FormatCheck, walk: SchemaWalk): void {
  if (check(value)) return;
  const name = walk.name;
  const text = `${name} in body must be of type ${format}: ${goQuote(value)}`;
  walk.add({ text, name, toError: (field) => typeInvalid(field, value, text) });
}
