import { MAX_BODY_BYTES, tooLargeStatus } from '#kube';
import type { Status } from '#kube';

/** Returns Status 413 for a request with too many documents of one kind. */
export function tooManyStatus(what: 'definitions' | 'policies' | 'objects' | 'objects of the cluster', most: number): Status {
  return tooLargeStatus(`at most ${most} ${what} a request`);
}

/** Returns Status 413 if an object or definition exceeds the server's size limit. Otherwise returns undefined. */
export function tooLargeProblem(where: string, bytes: number): Status | undefined {
  return bytes > MAX_BODY_BYTES ? tooLargeStatus(`limit is ${MAX_BODY_BYTES} (${where} has ${bytes} bytes)`) : undefined;
}
