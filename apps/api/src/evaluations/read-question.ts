import type { FastifyReply, FastifyRequest } from 'fastify';
import { timeoutStatus, tooLargeStatus, unsupportedMediaTypeStatus } from '#kube';
import type { DocumentSlice, EvaluationOptions } from '#evaluation';
import type { EngineHost } from '#runner';
import { clientOf } from '../access/client.ts';
import { bodyNotation } from '../body-parsers.ts';
import { clientGone } from '../client-gone.ts';
import type { ApiConfig } from '../config.ts';
import { StatusFailure } from '../status.filter.ts';
import { readBatch } from './read-batch.ts';
import { deadlineAt, refuseLargeDefinitions, refuseTooMany, refuseUnpermitted, untilDeadline } from './request-options.ts';

/** What is answered whole is kept small: larger batches belong to `POST /evaluate`. */
const MAX_OBJECTS = 1000;

/** A request and where its answer goes. */
export interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** What a request is read with. */
export interface Reading {
  readonly host: EngineHost;
  readonly config: ApiConfig;
  /** Lays other options over those of the envelope. */
  readonly override?: (options: EvaluationOptions) => EvaluationOptions;
}

/** A question about definitions and objects that is answered whole. */
export class Question {
  /** What the question is about, with its article: `a matrix`. */
  readonly #about: string;
  readonly definitions: readonly DocumentSlice[];
  readonly objects: readonly DocumentSlice[];
  readonly options: EvaluationOptions;
  /** Raised when the client is gone or the deadline has passed. */
  readonly signal: AbortSignal;

  private constructor(
    about: string,
    batch: { definitions: readonly DocumentSlice[]; objects: readonly DocumentSlice[]; options: EvaluationOptions },
    signal: AbortSignal,
  ) {
    this.#about = about;
    this.definitions = batch.definitions;
    this.objects = batch.objects;
    this.options = batch.options;
    this.signal = signal;
  }

  /** Reads and admits the body of a request; throws the Status of a refusal. */
  static async read(about: string, { request, reply }: Exchange, { host, config, override }: Reading): Promise<Question> {
    const notation = bodyNotation(request);
    if (notation === 'ndjson') throw new StatusFailure(unsupportedMediaTypeStatus(`${about} takes JSON or YAML`));
    const gone = clientGone(reply);
    const { definitions, objects, options: sent } = await readBatch(notation, request.body as Buffer, host, gone);
    const options = override?.(sent) ?? sent;
    const { limits } = clientOf(request);
    refuseUnpermitted(options, limits);
    refuseTooMany(objects.length, limits);
    if (objects.length > MAX_OBJECTS) throw new StatusFailure(tooLargeStatus(`at most ${MAX_OBJECTS} objects ${about}`));
    refuseLargeDefinitions(definitions, config);
    return new Question(about, { definitions, objects, options }, untilDeadline(gone, deadlineAt(options, config)));
  }

  /** The answer, or the 408 where it came too late to be whole. */
  async answered<A>(answer: Promise<A>): Promise<A> {
    const whole = await answer;
    if (this.signal.aborted)
      throw new StatusFailure(timeoutStatus(`the deadline of the ${this.#about.replace(/^an? /, '')} passed`, 0, 408));
    return whole;
  }
}
