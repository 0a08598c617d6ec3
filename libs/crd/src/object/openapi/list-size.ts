import { invalid, tooMany } from '#kube';
import type { TooManyWords } from '#kube';
import type { SchemaWalk } from './schema-walk.ts';

/** `minItems`. */
export function checkMinItems(size: number, limit: number | bigint, walk: SchemaWalk): void {
  if (size >= limit) return;
  const name = walk.name;
  const text = `${name} in body should have at least ${limit} items`;
  walk.add({ text, name, toError: (field) => invalid(field, size, text) });
}

/** `maxItems`. */
export function checkMaxItems(size: number, limit: number | bigint, words: TooManyWords, walk: SchemaWalk): void {
  if (size <= limit) return;
  const name = walk.name;
  const text = `${name} in body should have at most ${limit} items`;
  walk.add({ text, name, toError: (field) => tooMany(field, size, Number(limit), words) });
}
