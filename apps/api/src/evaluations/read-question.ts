import type { FastifyReply, FastifyRequest } from 'fastify';
import { timeoutStatus, tooLargeStatus, unsupportedMediaTypeStatus } from '#kube';
import type { DocumentSlice, EvaluationOptions } from '#evaluation';
import type { Engine } from '#runner';
import { clientOf } from '../access/client.ts';
import { bodyBytes, bodyNotation } from '../body-parsers.ts';
import { clientGone } from '../client-gone.ts';
import type { ApiConfig } from '../config.ts';
import type { EngineLine } from '../engine/engine-line.ts';
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
  readonly line: EngineLine;
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
  /** Answers it, in the turn of its client's flow. */
  readonly engine: Engine;
  /** Raised when the client is gone or the deadline has passed. */
  readonly signal: AbortSignal;

  private constructor(
    about: string,
    batch: { definitions: readonly DocumentSlice[]; objects: readonly DocumentSlice[]; options: EvaluationOptions },
    engine: Engine,
    signal: AbortSignal,
  ) {
    this.#about = about;
    this.definitions = batch.definitions;
    this.objects = batch.objects;
    this.options = batch.options;
    this.engine = engine;
    this.signal = signal;
  }

  /** Reads and admits the body of a request; throws the Status of a refusal. */
  static async read(about: string, { request, reply }: Exchange, { line, config, override }: Reading): Promise<Question> {
    const notation = bodyNotation(request);
    if (notation === 'ndjson') throw new StatusFailure(unsupportedMediaTypeStatus(`${about} takes JSON or YAML`));
    const gone = clientGone(reply);
    const { flow, limits } = clientOf(request);
    const engine = line.open(flow, 'question', bodyBytes(request));
    const until = (wishes: EvaluationOptions): AbortSignal => untilDeadline(gone, deadlineAt(override?.(wishes) ?? wishes, config));
    const { definitions, objects, options: sent } = await readBatch(notation, request.body as Buffer, engine, until);
    const options = override?.(sent) ?? sent;
    refuseUnpermitted(options, limits);
    refuseTooMany(objects.length, limits);
    if (objects.length > MAX_OBJECTS) throw new StatusFailure(tooLargeStatus(`at most ${MAX_OBJECTS} objects ${about}`));
    refuseLargeDefinitions(definitions, config);
    const signal = untilDeadline(gone, deadlineAt(options, config));
    return new Question(about, { definitions, objects, options }, engine, signal);
  }

  /** The answer, or the 408 where it came too late to be whole. */
  async answered<A>(answer: Promise<A>): Promise<A> {
    const whole = await answer;
    if (this.signal.aborted)
      throw new StatusFailure(timeoutStatus(`the deadline of the ${this.#about.replace(/^an? /, '')} passed`, 0, 408));
    return whole;
  }
}
