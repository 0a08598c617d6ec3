// Replacement of the parts of `node:crypto` that the library uses, for runtimes without Node.
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** Returns an object that computes a SHA-256 digest in hexadecimal, with the interface of Node's `createHash('sha256')`. */
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
