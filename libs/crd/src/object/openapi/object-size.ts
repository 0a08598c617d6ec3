import { invalid, tooMany } from '#kube';
import type { TooManyWords } from '#kube';
import type { SchemaWalk } from './schema-walk.ts';

/** `minProperties`. */
export function checkMinProperties(size: number, limit: number | bigint, walk: SchemaWalk): void {
  if (size >= limit) return;
  const name = walk.name;
  const text = `${name} in body should have at least ${limit} properties`;
  walk.add({ text, name, toError: (field) => invalid(field, size, text) });
}

/** `maxProperties`. */
export function checkMaxProperties(size: number, limit: number | bigint, words: TooManyWords, walk: SchemaWalk): void {
  if (size <= limit) return;
  const name = walk.name;
  const text = `${name} in body should have at most ${limit} properties`;
  walk.add({ text, name, toError: (field) => tooMany(field, size, Number(limit), words) });
}
