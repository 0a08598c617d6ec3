import { equalBytes } from '#go';
import type { decodeBody } from '../object/write/decode-body.ts';
import { SchemasByContent } from './decoded-schemas.ts';

type BodyReading = ReturnType<typeof decodeBody>;

/**
 * Cache of the definitions that were read last. One definition is judged for several minors in turn and is then compiled. The cache only
 * saves time; results do not depend on it.
 */
export class RecentDefinitions {
  readonly #schemas = new SchemasByContent();
  #last: { readonly bytes: Uint8Array; readonly contentType: string | undefined; readonly body: BodyReading } | undefined;

  /** Starts the next document, and returns the cache of the schemas of this document and the previous one. */
  schemas(): SchemasByContent {
    this.#schemas.begin();
    return this.#schemas;
  }

  /**
   * Returns the result of reading a request body. The result comes from the cache if the body equals the last one, because all minors read
   * a body in the same way.
   */
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
