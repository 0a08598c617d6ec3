import { createContext, runInContext } from 'node:vm';

/**
 * Creates a JavaScript realm (global environment) with the globals of ECMAScript and some globals of a web page, but without the globals of
 * Node. The realm has no shared memory, like a page that is not cross-origin isolated.
 *
 * @param codeFromStrings true if `new Function` works in the realm; it does not work in a page with a Content-Security-Policy without
 * `unsafe-eval`
 * @returns function that runs a script in the realm and returns the value of its last expression
 */
export function webRealm(codeFromStrings: boolean): (script: string) => unknown {
  const realm = createContext({}, { codeGeneration: { strings: codeFromStrings, wasm: false } });
  const prepare = runInContext(PREPARE, realm) as (host: object) => void;
  prepare({ TextEncoder, TextDecoder, URL, atob, btoa, performance, crypto });
  return (script) => runInContext(script, realm);
}

/**
 * Script that prepares the realm. It copies the bytes that the host's encoder returns, because the bytes must be an instance of the new
 * realm's `Uint8Array`.
 */
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
