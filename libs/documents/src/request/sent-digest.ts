import { createHash } from 'node:crypto';

const SENT_DIGEST = /^sha256:[0-9a-f]{64}$/;

/** Error text that describes the required form of a digest. */
export const SENT_DIGEST_FORM = 'must be "sha256:" and 64 hexadecimal digits in lower case';

/**
 * Returns the digest with which a client refers to bytes that it sent. Like the digests of image registries, it is `sha256:` and 64
 * hexadecimal digits.
 */
export function sentDigest(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

/** Returns true if a text has the form of a digest that {@link sentDigest} returns. */
export function isSentDigest(text: unknown): text is string {
  return typeof text === 'string' && SENT_DIGEST.test(text);
}
