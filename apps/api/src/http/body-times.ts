import { steadyNow } from '#documents';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { closeAfterEarlyAnswer, Expirations, isWhole } from '#http-server';
import { timeoutStatus } from '#kube';
import { isStreamed } from '../body-parsers.ts';
import type { ApiConfig } from '../config.ts';
import { RequestValue } from '../request-span.ts';
import { StatusFailure } from '../status.filter.ts';
import { whenClosed } from './when-closed.ts';

/** Function that is called when the body of a request has arrived completely. */
export type BodyArrived = (request: FastifyRequest) => void;

/**
 * Ends a request with 408 if its body does not arrive in time, as kube-apiserver does (`--request-timeout`, 60 s). This does not apply to
 * bodies that are read as streams. The code that reads a body must call the returned function when the body is complete.
 */
export function timeBodies(fastify: FastifyInstance, { bodyTimeoutMs }: Pick<ApiConfig, 'bodyTimeoutMs'>): BodyArrived {
  const ends = new RequestValue<() => void>('time of the body');
  const times = new Expirations(bodyTimeoutMs);
  fastify.addHook('preParsing', (request, reply, payload, done) => {
    if (!isStreamed(request) && !isWhole(request.raw)) {
      const end = times.begin(() => {
        // If the response began before the body arrived, a status of 408 is no longer possible.
        if (reply.raw.headersSent) return void request.raw.destroy();
        void reply
          .code(408)
          .type('application/json')
          .send(JSON.stringify(timeoutStatus('the body did not come in time', 0, 408)));
      });
      ends.set(request, end);
      whenClosed(reply, end);
    }
    done(null, payload);
  });
  return (request) => ends.get(request)?.();
}

/**
 * Closes the connection if the answer is complete before the whole request has arrived: the service does not evaluate the rest of the body.
 */
export function closeEarlyAnswers(fastify: FastifyInstance): void {
  fastify.addHook('onSend', ({ raw }, reply, _, done) => {
    if (reply.statusCode >= 400 && !isWhole(raw) && raw.httpVersionMajor < 2) void reply.header('connection', 'close');
    closeAfterEarlyAnswer(raw, reply.raw);
    done();
  });
}

/**
 * Body that is read while it arrives. Reading fails with 408 if the client sends nothing for `idleMs` ms while the reader waits, or if the
 * deadline of the body passes.
 */
export class ArrivingBody implements AsyncIterable<Buffer> {
  readonly #blocks: AsyncIterable<Buffer>;
  readonly #idleMs: number;
  #deadline: number;

  /** Wraps the arriving blocks of a body. `deadline` is in ms since the epoch. */
  constructor(blocks: AsyncIterable<Buffer>, idleMs: number, deadline: number) {
    this.#blocks = blocks;
    this.#idleMs = idleMs;
    this.#deadline = deadline;
  }

  /**
   * Replaces the deadline of the body; `deadline` is in ms since the epoch. The caller does this if the envelope in the first line of the
   * body names a deadline.
   */
  endAt(deadline: number): void {
    this.#deadline = deadline;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    const blocks = this.#blocks[Symbol.asyncIterator]();
    for (;;) {
      const step = await this.#inTime(blocks.next());
      if (step.done) return;
      yield step.value;
    }
  }

  async #inTime(next: Promise<IteratorResult<Buffer>>): Promise<IteratorResult<Buffer>> {
    // If the response ends the connection, nobody awaits `next`. This handler prevents an unhandled rejection.
    next.catch(() => undefined);
    const left = this.#deadline - steadyNow();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      const why =
        left <= this.#idleMs ? 'the deadline of the evaluation passed while its body still came' : 'the client sent nothing for too long';
      timer = setTimeout(() => reject(new StatusFailure(timeoutStatus(why, 0, 408))), Math.max(0, Math.min(left, this.#idleMs)));
    });
    try {
      return await Promise.race([next, late]);
    } finally {
      clearTimeout(timer);
    }
  }
}
