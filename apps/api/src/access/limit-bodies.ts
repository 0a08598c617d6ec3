import type { FastifyInstance } from 'fastify';
import { Transform } from 'node:stream';
import { tooLargeStatus } from '#kube';
import { isStreamed } from '../body-parsers.ts';
import type { ApiConfig } from '../config.ts';
import { StatusFailure } from '../status.filter.ts';
import { clientOf } from './client.ts';

/** The largest body that any client may send whole: Fastify's own limit. */
export function largestBody({ maxBodyBytes, keys }: ApiConfig): number {
  return Math.max(maxBodyBytes, ...(keys ?? []).map((key) => key.maxBodyBytes ?? 0));
}

/** Holds each client to its own limit of bodies that are read whole, by their announced length or, without one, while they come. */
export function limitBodies(fastify: FastifyInstance, config: ApiConfig): void {
  const largest = largestBody(config);
  fastify.addHook('preParsing', (request, reply, payload, done) => {
    const { maxBodyBytes } = clientOf(request).limits;
    if (maxBodyBytes >= largest || isStreamed(request)) return done(null, payload);
    const announced = request.headers['content-length'];
    if (announced === undefined) return done(null, payload.pipe(new Counted(maxBodyBytes)));
    if (Number(announced) <= maxBodyBytes) return done(null, payload);
    void reply.header('connection', 'close');
    done(tooLarge(maxBodyBytes));
  });
}

/** Passes bytes on up to a limit. */
class Counted extends Transform {
  readonly #limit: number;
  /** Fastify compares this with the announced length. */
  receivedEncodedLength = 0;

  constructor(limit: number) {
    super();
    this.#limit = limit;
  }

  override _transform(block: Buffer, _: BufferEncoding, done: (error: Error | null, block?: Buffer) => void): void {
    this.receivedEncodedLength += block.length;
    if (this.receivedEncodedLength > this.#limit) done(tooLarge(this.#limit));
    else done(null, block);
  }
}

function tooLarge(limit: number): StatusFailure {
  return new StatusFailure(tooLargeStatus(`limit is ${limit}`));
}
