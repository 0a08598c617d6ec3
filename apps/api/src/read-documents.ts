import type { FastifyRequest } from 'fastify';
import { tooLargeStatus, timeoutStatus, unsupportedMediaTypeStatus } from '#kube';
import { steadyNow } from '#evaluation';
import type { DocumentLimits, Envelope, EvaluationOptions } from '#evaluation';
import { checkDefinitions, checkPolicyBytes, deadlineOf, permittedOptions, readEnvelope, untilDeadline } from '#service';
import type { Caller, KeptDefinitions, ServiceLimits } from '#service';
import { clientOf } from './access/client.ts';
import type { ClientLimits } from './access/client.ts';
import { answerOf, requirePassed } from './answer-outcome.ts';
import { bodyNotation } from './body-parsers.ts';
import { DEFAULT_OPTIONS } from './evaluations/request-options.ts';
import { StatusFailure } from './status.filter.ts';

/** Answers that are given whole are kept small: larger batches belong to `POST /evaluate`. */
const MAX_OBJECTS = 1000;

/** A request about definitions, policies and objects that is answered whole. */
export interface DocumentsRequest {
  readonly documents: Envelope;
  /** Raised when the client is gone or the deadline has passed. */
  readonly signal: AbortSignal;
  /** The answer, or the 408 where it came too late to be whole. */
  whole<Answer>(answer: Promise<Answer>): Promise<Answer>;
}

/** What bounds such requests, and where definitions lie that they name. */
export interface DocumentsSource {
  readonly limits: Omit<ServiceLimits, 'sameNames'>;
  readonly kept: KeptDefinitions;
}

/**
 * Reads and admits the body of a request; throws the Status of a refusal.
 *
 * @param about what the answer is, without article: `matrix`
 * @param override lays other options over those of the envelope
 */
export async function readDocumentsRequest(
  about: string,
  request: FastifyRequest,
  caller: Caller,
  { limits, kept }: DocumentsSource,
  override: (options: EvaluationOptions) => EvaluationOptions = (options) => options,
): Promise<DocumentsRequest> {
  const receivedAt = steadyNow();
  const notation = bodyNotation(request);
  if (notation === 'ndjson') throw new StatusFailure(unsupportedMediaTypeStatus(`a request for ${articled(about)} takes JSON or YAML`));
  const readUntil = (): AbortSignal => untilDeadline(caller.signal, deadlineOf(override(DEFAULT_OPTIONS), limits, receivedAt));
  const body = { bytes: request.body as Buffer, notation };
  const most = documentLimits(about, clientOf(request).limits, limits);
  const sent = answerOf(await readEnvelope(body, DEFAULT_OPTIONS, most, caller.engine, readUntil));
  const envelope = answerOf(await kept.resolve(sent, caller));
  const options = override(envelope.options);
  answerOf(permittedOptions(options, caller.limits));
  requirePassed(checkDefinitions(envelope.definitions, limits));
  requirePassed(checkPolicyBytes(envelope));
  requirePassed(caller.engine.admit());
  const signal = untilDeadline(caller.signal, deadlineOf(options, limits, receivedAt));
  return {
    documents: { ...envelope, options },
    signal,
    async whole(answer) {
      const whole = await answer;
      if (signal.aborted) throw new StatusFailure(timeoutStatus(`the deadline of the ${about} passed`, 0, 408));
      return whole;
    },
  };
}

function documentLimits(
  about: string,
  { maxItems }: ClientLimits,
  { maxDefinitions }: Pick<ServiceLimits, 'maxDefinitions'>,
): DocumentLimits {
  if (maxItems <= MAX_OBJECTS) return { definitions: maxDefinitions, objects: maxItems };
  const tooManyObjects = tooLargeStatus(`at most ${MAX_OBJECTS} objects for ${articled(about)}`);
  return { definitions: maxDefinitions, objects: MAX_OBJECTS, tooManyObjects };
}

const articled = (noun: string): string => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;
