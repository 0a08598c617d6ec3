import { createParamDecorator } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Readable } from 'node:stream';
import { timeoutStatus } from '#kube';
import type { DocumentSlice, Envelope } from '#documents';
import { checkDefinitionSize, expandComposites } from '#service';
import type { KeptDefinitions, Outcome } from '#service';
import type { QueuedEngine, Dispatcher } from '#runner';
import { answerOrThrow, enterQueueOrThrow, throwIfDeclined, StatusFailure } from './status.filter.ts';
import { callerOf } from './caller.ts';
import type { ApiConfig } from './config.ts';
import { readQuery } from './evaluations/request-options.ts';
import { definitionOfRequest, readRequestDocuments } from './read-documents.ts';
import { wholeAnswer } from './whole-answer.ts';

/** HTTP request and the reply to it. */
export interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** Parameter decorator that passes the HTTP request and its reply to a handler. */
export const HttpExchange = createParamDecorator((_: unknown, context: ExecutionContext): Exchange => {
  const http = context.switchToHttp();
  return { request: http.getRequest<FastifyRequest>(), reply: http.getResponse<FastifyReply>() };
});

/**
 * Access to the engine for an HTTP request that the service has admitted to its queue. `signal` is aborted if the client disconnects or the
 * deadline passes.
 */
export interface Admission {
  readonly engine: QueuedEngine;
  readonly signal: AbortSignal;
}

/** Operation of the service that computes the answer to a request. `read` is the parsed content of the request. */
export type UseCase<Read> = (read: Read, admission: Admission) => Promise<Outcome<unknown>>;

/**
 * Answers HTTP requests with the help of use cases. It reads the body, admits the request, calls the use case, and writes the
 * answer or the Status of a refusal.
 */
export class UseCaseAnswers {
  readonly #dispatcher: Dispatcher;
  readonly #kept: KeptDefinitions;
  readonly #config: ApiConfig;

  constructor(dispatcher: Dispatcher, kept: KeptDefinitions, config: ApiConfig) {
    this.#dispatcher = dispatcher;
    this.#kept = kept;
    this.#config = config;
  }

  /**
   * Answers a request whose body holds definitions, policies and objects.
   *
   * @param about name of the answer, without article: `matrix`
   * @param query options of the request; by default all query parameters of the request
   */
  async ofBatch(
    { request, reply }: Exchange,
    about: string,
    useCase: UseCase<Envelope>,
    query: unknown = request.query,
  ): Promise<string | Readable> {
    const overrides = readQuery(query);
    const caller = callerOf(request, reply, 'request', this.#dispatcher);
    const { documents, signal } = await readRequestDocuments(about, request, { caller, limits: this.#config, kept: this.#kept, overrides });
    const answer = answerOrThrow(await useCase(documents, { engine: caller.engine, signal }));
    if (signal.aborted) throw new StatusFailure(timeoutStatus(`the deadline of the ${about} passed`, 0, 408));
    return wholeAnswer(reply, answer, this.#config.maxAnswerBytes);
  }

  /** Answers a request whose body is one definition, or a CompositeResourceDefinition of Crossplane. */
  async ofDefinition(exchange: Exchange, useCase: UseCase<DocumentSlice>): Promise<string | Readable> {
    const definition = definitionOfRequest(exchange.request);
    throwIfDeclined(checkDefinitionSize('the definition', definition));
    const admission = this.admit(exchange, this.#config.deadlineMs);
    const limits = { definitions: this.#config.maxDefinitions, objects: 0 };
    const made = answerOrThrow(await expandComposites([definition], limits, admission.engine, admission.signal, 'composite'));
    const answer = answerOrThrow(await useCase(made[0] ?? definition, admission));
    return wholeAnswer(exchange.reply, answer, this.#config.maxAnswerBytes);
  }

  /**
   * Admits a request to the admission queue of its flow for at most `forMs` ms. Throws the 429 failure if the admission queue is full, or
   * if the flow of the client has used its part of the queue.
   */
  admit({ request, reply }: Exchange, forMs: number): Admission {
    const { engine, signal } = callerOf(request, reply, 'request', this.#dispatcher);
    enterQueueOrThrow(engine);
    return { engine, signal: AbortSignal.any([signal, AbortSignal.timeout(forMs)]) };
  }
}
