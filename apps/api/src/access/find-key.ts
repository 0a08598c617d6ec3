import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** Returns the token of `Authorization: Bearer …`, or else of `x-api-key`; undefined when there is none, or several. */
export function presentedToken(headers: IncomingHttpHeaders): string | undefined {
  if (headers.authorization !== undefined) return /^Bearer +(?<token>[^\s]+) *$/i.exec(headers.authorization)?.groups?.['token'];
  const key = headers['x-api-key'];
  return typeof key === 'string' && key !== '' ? key : undefined;
}

/** Returns the key of a token. Every digest is compared, each in constant time, so that an answer's time tells nothing about the list. */
export function findKey<K extends { readonly sha256: Uint8Array }>(keys: readonly K[], token: string): K | undefined {
  const digest = createHash('sha256').update(token).digest();
  let found: K | undefined;
  for (const key of keys) if (timingSafeEqual(digest, key.sha256)) found = key;
  return found;
}
