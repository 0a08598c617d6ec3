import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/**
 * Returns the token of `Authorization: Bearer …`, or of `x-api-key` if there is no `Authorization` header; undefined if there is no token
 * or more than one.
 */
export function presentedToken(headers: IncomingHttpHeaders): string | undefined {
  if (headers.authorization !== undefined) return /^Bearer +(?<token>[^\s]+) *$/i.exec(headers.authorization)?.groups?.['token'];
  const key = headers['x-api-key'];
  return typeof key === 'string' && key !== '' ? key : undefined;
}

/**
 * Returns the access key that belongs to a token; undefined if there is none. Compares the digest with every key in constant time, so that
 * the duration of the answer reveals nothing about the list.
 */
export function findKey<K extends { readonly sha256: Uint8Array }>(keys: readonly K[], token: string): K | undefined {
  const digest = createHash('sha256').update(token).digest();
  let found: K | undefined;
  for (const key of keys) if (timingSafeEqual(digest, key.sha256)) found = key;
  return found;
}
