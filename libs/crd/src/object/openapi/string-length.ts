import { codePointLength } from '#go';
import { invalid, tooLong } from '#kube';
import type { TooLongWords } from '#kube';
import type { SchemaWalk } from './schema-walk.ts';

/** `maxLength`, counted in code points though the text says bytes. False when violated. */
export function checkMaxLength(value: string, limit: number | bigint, words: TooLongWords, walk: SchemaWalk): boolean {
  if (value.length <= limit || codePointLength(value) <= limit) return true;
  const name = walk.name;
  const text = `${name} in body should be at most ${limit} chars long`;
  walk.add({ text, name, toError: (field) => tooLong(field, Number(limit), words) });
  return false;
}

/** `minLength`, in code points. False when violated. */
export function checkMinLength(value: string, limit: number | bigint, walk: SchemaWalk): boolean {
  if (codePointLength(value) >= limit) return true;
  const name = walk.name;
  const text = `${name} in body should be at least ${limit} chars long`;
  walk.add({ text, name, toError: (field) => invalid(field, value, text) });
  return false;
}
