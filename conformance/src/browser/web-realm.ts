import { createContext, runInContext } from 'node:vm';

/**
 * Returns a realm with the names of ECMAScript and some of a page's, and none of Node's. Without shared memory, as in a page that is not isolated.
 *
 * @param codeFromStrings whether `new Function` works there; a page without it has a Content-Security-Policy without `unsafe-eval`
 * @returns runs a script in the realm and gives its last value
 */
export function webRealm(codeFromStrings: boolean): (script: string) => unknown {
  const realm = createContext({}, { codeGeneration: { strings: codeFromStrings, wasm: false } });
  const prepare = runInContext(PREPARE, realm) as (host: object) => void;
  prepare({ TextEncoder, TextDecoder, URL, atob, btoa, performance, crypto });
  return (script) => runInContext(script, realm);
}

/** Bytes that this realm's encoder makes are not the other's: they are copied, as `instanceof` must hold. */
const PREPARE = `(host) => {
  delete globalThis.SharedArrayBuffer;
  delete globalThis.Atomics;
  const { TextDecoder, URL, performance, crypto } = host;
  class TextEncoder {
    #encoder = new host.TextEncoder();
    encode(text) { return new Uint8Array(this.#encoder.encode(text)); }
    encodeInto(text, bytes) { return this.#encoder.encodeInto(text, bytes); }
  }
  Object.assign(globalThis, { TextEncoder, TextDecoder, URL, performance, crypto, atob: (text) => host.atob(text), btoa: (text) => host.btoa(text) });
  globalThis.self = globalThis.window = globalThis;
}`;
