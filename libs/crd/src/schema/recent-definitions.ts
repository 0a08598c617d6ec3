import { equalBytes } from '#go';
import type { decodeBody } from '../object/write/decode-body.ts';
import { SchemasByContent } from './decoded-schemas.ts';

type BodyReading = ReturnType<typeof decodeBody>;

/**
 * Cache of recently read definitions. It saves time if Assay computes verdicts on one definition for several Kubernetes minor versions, and
 * then compiles this definition. Results do not depend on the cache.
 */
export class RecentDefinitions {
  readonly #schemas = new SchemasByContent();
  #last: { readonly bytes: Uint8Array; readonly contentType: string | undefined; readonly body: BodyReading } | undefined;

  /** Starts the next document. Returns the cache of schemas of this document and the previous document. */
  schemas(): SchemasByContent {
    this.#schemas.begin();
    return this.#schemas;
  }

  /**
   * Returns the result of reading a request body. If the body equals the last body, the cached result is returned, because all Kubernetes
   * minor versions read a body in the same way.
   */
  body(bytes: Uint8Array, contentType: string | undefined, read: () => BodyReading): BodyReading {
    const last = this.#last;
    if (last !== undefined && last.contentType === contentType && equalBytes(last.bytes, bytes)) return last.body;
    this.#last = undefined;
    const body = read();
    // The caller may overwrite its bytes, so this stores a copy.
    if (body.ok) this.#last = { bytes: bytes.slice(), contentType, body };
    return body;
  }
}
