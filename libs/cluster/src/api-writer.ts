import { ApiReader } from './api-reader.ts';
import type { ClusterReading } from './reading.ts';

/** Operation of a JSON Patch (RFC 6902). */
export interface PatchOperation {
  readonly op: 'add' | 'replace';
  readonly path: string;
  readonly value: string;
}

/**
 * Client that can also change objects. It is used only where writing is necessary: by the webhook of `assay guard`, which registers its
 * certificate with API servers.
 */
export class ApiWriter extends ApiReader {
  /**
   * Applies a JSON Patch to an object and returns the new object. If the server breaks the connection, the patch may be sent more than
   * once. Therefore the patch should contain the object's resource version, so that the server rejects a repeated patch.
   */
  patch(path: string, operations: readonly PatchOperation[]): Promise<ClusterReading<Buffer>> {
    return this.ask({ method: 'PATCH', path, type: 'application/json-patch+json', body: Buffer.from(JSON.stringify(operations)) });
  }
}
