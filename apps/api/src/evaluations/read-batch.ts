import { badRequestStatus, serviceUnavailableStatus } from '#kube';
import { checkOptions, splitEnvelope } from '#evaluation';
import type { Envelope } from '#evaluation';
import type { Engine } from '#runner';
import type { BodyNotation } from '../body-parsers.ts';
import { StatusFailure } from '../status.filter.ts';

/** Cuts a body into definitions and objects. JSON is cut here, as bytes; YAML must be parsed for that, so a thread does it. */
export async function readBatch(
  notation: Exclude<BodyNotation, 'ndjson'>,
  body: Buffer,
  engine: Engine,
  signal: AbortSignal,
): Promise<Envelope> {
  if (notation === 'json') {
    const cut = splitEnvelope(body);
    if (!cut.ok) throw new StatusFailure(cut.status);
    return cut.value;
  }
  const options = checkOptions({});
  if (!options.ok) throw new StatusFailure(options.status);
  const answer = await engine.run({ kind: 'documents', bytes: body, lines: false }, { signal });
  if (answer.kind !== 'done' || answer.result.kind !== 'documents')
    throw new StatusFailure(serviceUnavailableStatus('the YAML body could not be read'));
  const { definitions, objects, problem } = answer.result.documents;
  if (problem !== undefined) throw new StatusFailure(badRequestStatus(problem));
  return { definitions, objects, options: options.value };
}
