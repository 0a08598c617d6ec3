import type { FastifyRequest } from 'fastify';
import { tooLargeStatus, unsupportedMediaTypeStatus } from '#kube';
import { steadyNow } from '#documents';
import type { DocumentLimits, DocumentSlice, Envelope, EvaluationOptions } from '#documents';
import { checkDefinitions, checkPolicyBytes, deadlineOf, permittedOptions, readEnvelope, untilDeadline } from '#service';
import type { Caller, KeptDefinitions, ServiceLimits } from '#service';
import { clientOf } from './access/client.ts';
import type { ClientLimits } from './access/client.ts';
import { answerOrThrow, enterQueueOrThrow, throwIfDeclined, StatusFailure } from './status.filter.ts';
import { bodyNotation } from './body-parsers.ts';
import { DEFAULT_OPTIONS, overridden } from './evaluations/request-options.ts';
import type { readQuery } from './evaluations/request-options.ts';

/**
 * Maximum number of objects in a request whose answer is computed completely before it is sent. Larger batches must be sent to `POST
 * /evaluate`.
 */
const MAX_OBJECTS = 1000;

/** Context for reading documents: the sender, the limits, and the store of definitions that the request refers to by digest. */
export interface DocumentsSource {
  readonly caller: Caller;
  readonly limits: ServiceLimits;
  readonly kept: KeptDefinitions;
  /**
   * Options from the query parameters of the request. They replace the same options of the envelope (JSON body, or first line of an NDJSON
   * body).
   */
  readonly overrides: ReturnType<typeof readQuery>;
}

/**
 * Reads the body of a request whose answer is computed completely before it is sent. Checks the limits and adds the request to the engine's
 * admission queue. Throws a Status if the request is refused. The returned signal is aborted if the client disconnects or the deadline
 * passes.
 *
 * @param about name of the answer for error messages, without article: `matrix`
 */
export async function readRequestDocuments(
  about: string,
  request: FastifyRequest,
  { caller, limits, kept, overrides }: DocumentsSource,
): Promise<{ readonly documents: Envelope; readonly signal: AbortSignal }> {
  const receivedAt = steadyNow();
  const until = (options: EvaluationOptions): AbortSignal => untilDeadline(caller.signal, deadlineOf(options, limits, receivedAt));
  const body = wholeBody(request, `a request for ${articled(about)} takes JSON or YAML`);
  const most = documentLimits(about, clientOf(request).limits, limits);
  const readUntil = (): AbortSignal => until(overridden(DEFAULT_OPTIONS, overrides));
  const reading = answerOrThrow(await readEnvelope(body, DEFAULT_OPTIONS, most, caller.engine, readUntil));
  const envelope = answerOrThrow(await kept.resolve(reading, caller));
  const options = overridden(envelope.options, overrides);
  answerOrThrow(permittedOptions(options, caller.limits));
  throwIfDeclined(checkDefinitions(envelope.definitions, limits));
  throwIfDeclined(checkPolicyBytes(envelope));
  enterQueueOrThrow(caller.engine);
  return { documents: { ...envelope, options }, signal: until(options) };
}

/** Reads a body that is one definition. Throws the 415 failure if the body is NDJSON. */
export const definitionOfRequest = (request: FastifyRequest): DocumentSlice => wholeBody(request, 'a definition is JSON or YAML');

function wholeBody(request: FastifyRequest, noLines: string): DocumentSlice {
  const notation = bodyNotation(request);
  if (notation === 'ndjson') throw new StatusFailure(unsupportedMediaTypeStatus(noLines));
  return { bytes: request.body as Buffer, notation };
}

/**
 * Returns the maximum numbers of documents in the body of a request whose complete answer is held in memory before it is sent. Such a
 * request has a lower limit for objects than other requests. `about` names the request in the error message about too many objects.
 */
export function documentLimits(
  about: string,
  { maxItems }: ClientLimits,
  { maxDefinitions }: Pick<ServiceLimits, 'maxDefinitions'>,
): DocumentLimits {
  if (maxItems <= MAX_OBJECTS) return { definitions: maxDefinitions, objects: maxItems };
  const tooManyObjects = tooLargeStatus(`at most ${MAX_OBJECTS} objects for ${articled(about)}`);
  return { definitions: maxDefinitions, objects: MAX_OBJECTS, tooManyObjects };
}

const articled = (noun: string): string => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;
