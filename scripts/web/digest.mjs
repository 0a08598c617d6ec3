// What the library uses of `node:crypto`, where there is no Node.
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** A SHA-256 digest in hexadecimal, as `createHash('sha256')` of Node gives it. */
export function createHash() {
  const hash = sha256.create();
  return {
    update(part) {
      hash.update(typeof part === 'string' ? utf8ToBytes(part) : part);
      return this;
    },
    digest: () => bytesToHex(hash.digest()),
  };
}
