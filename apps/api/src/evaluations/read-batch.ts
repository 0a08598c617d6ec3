import { badRequestStatus, serviceUnavailableStatus, timeoutStatus } from '#kube';
import { checkOptions, splitEnvelope } from '#evaluation';
import type { Envelope, EvaluationOptions } from '#evaluation';
import type { Engine } from '#runner';
import type { BodyNotation } from '../body-parsers.ts';
import { StatusFailure } from '../status.filter.ts';

/**
 * Cuts a body into definitions and objects. JSON is cut here, as bytes; YAML must be parsed for that, so a thread does it, until the signal
 * that `until` gives for the request's options is raised: the client is gone, or the deadline has passed (408).
 */
export async function readBatch(
  notation: Exclude<BodyNotation, 'ndjson'>,
  body: Buffer,
  engine: Engine,
  until: (options: EvaluationOptions) => AbortSignal,
): Promise<Envelope> {
  if (notation === 'json') {
    const cut = splitEnvelope(body);
    if (!cut.ok) throw new StatusFailure(cut.status);
    return cut.value;
  }
  const options = checkOptions({});
  if (!options.ok) throw new StatusFailure(options.status);
  const answer = await engine.run({ kind: 'documents', bytes: body, lines: false }, { signal: until(options.value) });
  if (answer.kind === 'cancelled') throw new StatusFailure(timeoutStatus('the deadline passed before the YAML body was read', 0, 408));
  if (answer.kind !== 'done' || answer.result.kind !== 'documents')
    throw new StatusFailure(serviceUnavailableStatus('the YAML body could not be read'));
  const { definitions, objects, problem } = answer.result.documents;
  if (problem !== undefined) throw new StatusFailure(badRequestStatus(problem));
  return { definitions, objects, options: options.value };
}
