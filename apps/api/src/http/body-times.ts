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

/**
 * Longest time in ms that a connection stays open if its answer is complete before its request. During this time, bytes of the request that
 * are still in transit are discarded.
 */
const LINGER_MS = 10_000;

/** Function that is called when the body of a request has arrived completely. */
export type BodyCame = (request: FastifyRequest) => void;

/**
 * Ends a request with 408 if its body does not arrive in time, as kube-apiserver does (`--request-timeout`, 60 s). This does not apply to
 * bodies that are read as streams. The code that reads a body must call the returned function when the body is complete.
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
 * Closes the connection if the answer is complete before the whole request has arrived: the service does not evaluate the rest of the body.
 * Bytes that still arrive are discarded for `LINGER_MS`. An immediate connection reset could destroy an answer that the client has not read
 * yet.
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

/** Closes the connection of a request whose answer is complete, unless the whole request has arrived by now. */
function endRest(request: IncomingMessage): void {
  const { socket } = request;
  if (request.complete || request.httpVersionMajor >= 2 || socket.destroyed) return;
  request.resume();
  socket.end();
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
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
