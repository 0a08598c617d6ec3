import { steadyNow } from '#evaluation';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { timeoutStatus } from '#kube';
import { isStreamed } from '../body-parsers.ts';
import type { ApiConfig } from '../config.ts';
import { RequestValue } from '../request-value.ts';
import { StatusFailure } from '../status.filter.ts';
import { Expirations } from './expirations.ts';
import { whenClosed } from './when-closed.ts';

/** The longest time for bytes on their way to or from a client whose answer is over, ms. */
const LINGER_MS = 10_000;

/** Is told that the body of a request has come. */
export type BodyCame = (request: FastifyRequest) => void;

/**
 * Ends bodies that are read whole and do not come in time with a 408, as kube-apiserver ends its requests (`--request-timeout`, 60 s). The reader
 * of a body calls the returned function.
 */
export function timeBodies(fastify: FastifyInstance, { bodyTimeoutMs }: Pick<ApiConfig, 'bodyTimeoutMs'>): BodyCame {
  const ends = new RequestValue<() => void>('time of the body');
  const times = new Expirations(bodyTimeoutMs);
  fastify.addHook('preParsing', (request, reply, payload, done) => {
    if (!isStreamed(request) && !request.raw.complete) {
      const end = times.begin(() => {
        void reply.header('connection', 'close');
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
 * Ends the connection if the answer is complete before the request. Nobody reads the rest of the body, and the client must not wait. Its further bytes
 * are dropped for a while, because a reset connection takes the answer from a client that has not read it yet.
 */
export function closeEarlyAnswers(fastify: FastifyInstance): void {
  // Who is refused before its body has come must not send its next request over this connection.
  fastify.addHook('onSend', ({ raw }, reply, _, done) => {
    if (reply.statusCode >= 400 && !raw.complete && raw.httpVersionMajor < 2) {
      void reply.header('connection', 'close');
      // Node destroys the connection of a last answer once that is written; here it ends when the client has done so, or has lingered too long.
      const { socket } = raw;
      socket.destroySoon = () => socket.end();
    }
    // Of most answers the request is over: nothing is left to end.
    if (!raw.complete) reply.raw.once('finish', () => endRest(raw));
    done();
  });
}

/** Ends the connection of a request whose answer is over, unless the rest came meanwhile. */
function endRest(request: IncomingMessage): void {
  const { socket } = request;
  if (request.complete || request.httpVersionMajor >= 2 || socket.destroyed) return;
  request.resume();
  socket.end();
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

/**
 * The bytes of a body that is read while it comes. Reading fails with a 408 if the client sends nothing for `idleMs` while the reader waits, or if the
 * deadline of the body passes.
 */
export class ArrivingBody implements AsyncIterable<Buffer> {
  readonly #blocks: AsyncIterable<Buffer>;
  readonly #idleMs: number;
  #deadline: number;

  /** `deadline`: epoch ms. */
  constructor(blocks: AsyncIterable<Buffer>, idleMs: number, deadline: number) {
    this.#blocks = blocks;
    this.#idleMs = idleMs;
    this.#deadline = deadline;
  }

  /** Another deadline, epoch ms: the envelope, the body's first line, may name one. */
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
    // The connection that is closed after the answer ends this wait, which nobody waits for then.
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
