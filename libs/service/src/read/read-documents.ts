import { badRequestStatus, serviceUnavailableStatus, timeoutStatus } from '#kube';
import { splitEnvelope } from '#evaluation';
import type { DocumentSlice, Envelope, EvaluationOptions, Notation } from '#evaluation';
import { answered, declined, refused } from '../outcome.ts';
import type { Outcome } from '../outcome.ts';
import type { AdmittedEngine } from '../ports.ts';

/** Definitions and objects of a text. */
export type Documents = Pick<Envelope, 'definitions' | 'objects'>;

/** How a text is written: a YAML stream, or a JSON document a line. */
export type DocumentNotation = 'yaml' | 'json-lines';

/** Cuts a body into definitions, objects and options. JSON is cut as bytes, here; YAML has to be read for that, so a thread does it. */
export async function readEnvelope(
  body: DocumentSlice,
  options: EvaluationOptions,
  engine: AdmittedEngine,
  signal: AbortSignal,
): Promise<Outcome<Envelope>> {
  if (body.notation === ('json' satisfies Notation)) {
    const cut = splitEnvelope(body.bytes);
    return cut.ok ? answered(cut.value) : refused(cut.status);
  }
  const documents = await readDocuments(body.bytes, 'yaml', engine, signal);
  return documents.kind === 'answered' ? answered({ ...documents.answer, options }) : documents;
}

/** Reads the documents of a text on a thread, `kind: List` unpacked. A document that cannot be read stays where it was, as an object. */
export async function readDocuments(
  bytes: Uint8Array,
  notation: DocumentNotation,
  engine: AdmittedEngine,
  signal?: AbortSignal,
): Promise<Outcome<Documents>> {
  const full = engine.admit();
  if (full) return full;
  const answer = await engine.run({ kind: 'documents', bytes, lines: notation === 'json-lines' }, { ...(signal && { signal }) });
  if (answer.kind === 'cancelled') return declined('late', timeoutStatus('the deadline passed before the YAML body was read', 0, 408));
  if (answer.kind === 'broken') return declined('broken', serviceUnavailableStatus('the YAML body could not be read'));
  const { definitions, objects, problem } = answer.result;
  return problem === undefined ? answered({ definitions, objects }) : refused(badRequestStatus(problem));
}
