import type { AssayService } from '../../service/assay-service.ts';
import type { DefinitionUpload } from './load-bodies.ts';

/** Path to which evaluations are posted. */
export const EVALUATE_PATH = '/evaluate';

/**
 * Uploads the definitions that the requests of a load test refer to, and sends one request as a check. Resolves with the reason why the
 * service cannot be tested; undefined if it can.
 */
export async function prepareLoad(
  service: AssayService,
  definitions: readonly DefinitionUpload[],
  first: Buffer,
  signal: AbortSignal,
): Promise<string | undefined> {
  for (const { source, digest, body } of definitions) {
    const reply = await service.ask({ method: 'PUT', path: `/definitions/${digest}`, body, signal });
    if (reply.kind !== 'answered') return `${reply.problem} (${source})`;
  }
  const answer = await service.ask({ method: 'POST', path: EVALUATE_PATH, body: first, signal });
  return answer.kind === 'answered' ? undefined : answer.problem;
}
