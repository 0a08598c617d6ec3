import { ApiReader } from './api-reader.ts';
import type { Reading } from './reading.ts';

/** An operation of a JSON Patch (RFC 6902). */
export interface PatchOperation {
  readonly op: 'add' | 'replace';
  readonly path: string;
  readonly value: string;
}

/** A reader that can also change an object. Only what cannot do without is given one: a guard that tells API servers of its certificate. */
export class ApiWriter extends ApiReader {
  /** Applies a JSON Patch to an object, and returns the new object. The patch may be sent more than once if a server breaks off: let it name the version. */
  patch(path: string, operations: readonly PatchOperation[]): Promise<Reading<Buffer>> {
    return this.ask({ method: 'PATCH', path, type: 'application/json-patch+json', body: Buffer.from(JSON.stringify(operations)) });
  }
}
