import { Catch, HttpException } from '@nestjs/common';
import type { ArgumentsHost, ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isUnavailable } from '#jobs';
import {
  badRequestStatus,
  internalErrorStatus,
  pathNotFoundStatus,
  serviceUnavailableStatus,
  tooLargeStatus,
  unsupportedMediaTypeStatus,
} from '#kube';
import type { Status } from '#kube';
import type { QueuedEngine } from '#runner';
import type { Outcome } from '#service';
import type { Log } from '#telemetry';
import { logFields } from './request-span.ts';

/**
 * Seconds after which a client should retry if the storage is not available. A Sentinel fail-over takes about this long. Within this time,
 * an operator may also have taken a first look.
 */
const STORAGE_RETRY_SECONDS = 10;

/** Error that ends a request with a Status. Controllers throw it, and {@link StatusFilter} sends the answer. */
export class StatusFailure extends Error {
  readonly status: Status;
  constructor(status: Status) {
    super(status.message);
    this.status = status;
  }
}

/**
 * Exception filter that converts whatever a request threw into a metav1.Status. Unexpected errors are logged in full and answered without
 * details.
 */
@Catch()
export class StatusFilter implements ExceptionFilter {
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log;
  }

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    answerFailure(error, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>(), this.#log);
  }
}

/** Answers a failed request with its Status. Logs an unexpected error together with the id of the request. */
export function answerFailure(error: unknown, request: FastifyRequest, reply: FastifyReply, log: Log): void {
  const status = statusOf(error);
  if (isClientGone(request)) log.info(logFields(request), 'the client left before its answer');
  else if (status.code >= 500) log.error({ err: error, ...logFields(request) }, 'request failed');
  if (reply.raw.headersSent) return void reply.raw.destroy();
  const retry = status.details?.retryAfterSeconds;
  if ((status.code === 429 || status.code === 503) && retry) void reply.header('retry-after', String(retry));
  void reply.code(status.code).type('application/json').send(JSON.stringify(status));
}

/**
 * Returns the Status for any thrown value. It contains the original message only if Nest or Fastify wrote the message about the request,
 * because other errors may reveal internals of the service.
 */
export function statusOf(error: unknown): Status {
  if (error instanceof StatusFailure) return error.status;
  if (isUnavailable(error))
    return serviceUnavailableStatus('the storage of the service does not answer or is full, please try again later', STORAGE_RETRY_SECONDS);
  const code = error instanceof HttpException ? error.getStatus() : codeOf(error);
  if (code === 404) return pathNotFoundStatus();
  if (code === 413) return tooLargeStatus('the body exceeds the configured limit');
  if (code === 415) return unsupportedMediaTypeStatus('the body must be application/json, application/yaml or application/x-ndjson');
  if (code !== undefined && code >= 400 && code < 500) return badRequestStatus(wordsFor(error));
  return internalErrorStatus('the request could not be answered');
}

/** Returns true if the client aborted its request or disconnected before the answer, so that the client caused the failure. */
function isClientGone({ raw }: FastifyRequest): boolean {
  return raw.socket.destroyed || (raw.destroyed && !raw.complete);
}

function wordsFor(error: unknown): string {
  const ours = error instanceof Error && 'code' in error && String(error.code).startsWith('FST_ERR_');
  return ours || error instanceof HttpException ? error.message : 'the request cannot be understood';
}

function codeOf(error: unknown): number | undefined {
  // A part of the path is too long for Fastify. No id has such a length, so the resource does not exist.
  if (error instanceof Error && 'code' in error && error.code === 'FST_ERR_MAX_PARAM_LENGTH') return 404;
  const code = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined;
  return typeof code === 'number' ? code : undefined;
}

/**
 * Returns the answer in the outcome of a use case (an operation of the service). If the use case declined the request, throws a {@link
 * StatusFailure} with the Status of the outcome.
 */
export function answerOrThrow<Answer>(outcome: Outcome<Answer>): Answer {
  if (outcome.kind === 'answered') return outcome.answer;
  throw new StatusFailure(outcome.status);
}

/** Admits a request to the admission queue. Throws the 429 failure if the queue is full, or if the flow's share of it is full. */
export function enterQueueOrThrow(engine: QueuedEngine): void {
  const full = engine.enterQueue();
  if (full) throw new StatusFailure(full);
}

/** Throws the Status of `problem` if a check of the request failed; does nothing if `problem` is undefined. */
export function throwIfDeclined(problem: Exclude<Outcome<never>, { kind: 'answered' }> | undefined): void {
  if (problem) throw new StatusFailure(problem.status);
}
