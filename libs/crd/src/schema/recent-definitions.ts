import { equalBytes } from '#go';
import type { decodeBody } from '../object/write/decode-body.ts';
import { SchemasByContent } from './decoded-schemas.ts';

type BodyReading = ReturnType<typeof decodeBody>;

/**
 * The memory of the definitions that its owner read last: a definition is judged by one minor after the other, then compiled. Results do not depend on it.
 */
export class RecentDefinitions {
  readonly #schemas = new SchemasByContent();
  #last: { readonly bytes: Uint8Array; readonly contentType: string | undefined; readonly body: BodyReading } | undefined;

  /** Begins another document, and returns the schemas of it and the one before. */
  schemas(): SchemasByContent {
    this.#schemas.begin();
    return this.#schemas;
  }

  /** Returns the reading of a body if it was the last one, or reads it. All minors read the same. */
  body(bytes: Uint8Array, contentType: string | undefined, read: () => BodyReading): BodyReading {
    const last = this.#last;
    if (last !== undefined && last.contentType === contentType && equalBytes(last.bytes, bytes)) return last.body;
    this.#last = undefined;
    const body = read();
    // The bytes are the caller's, who may write over them.
    if (body.ok) this.#last = { bytes: bytes.slice(), contentType, body };
    return body;
  }
}
