import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { tooManyRequestsStatus, unsupportedMediaTypeStatus, badRequestStatus, tooLargeStatus } from '#kube';
import { clientOf } from './access/client.ts';
import { HeldBodies } from '#http-server';
import type { HeldBody, HeldBodyLimits } from '#http-server';
import { whenClosed } from './http/when-closed.ts';
import { memoizeHeaders } from './memoize-headers.ts';
import { RequestValue } from './request-span.ts';
import { StatusFailure } from './status.filter.ts';
import type { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';

/** Notation of a request body. */
export type BodyNotation = 'json' | 'yaml' | 'ndjson';

/** Media types that are accepted for each notation. YAML has several because its media type had several names. */
export const MEDIA_TYPES: Readonly<Record<BodyNotation, readonly string[]>> = {
  json: ['application/json'],
  yaml: ['application/yaml', 'application/x-yaml', 'text/yaml', 'text/x-yaml'],
  ndjson: ['application/x-ndjson', 'application/ndjson', 'application/jsonl', 'application/json-seq'],
};

/** Returns the notation of a request body. Throws the 415 failure if the media type is unknown. */
export function bodyNotation(request: FastifyRequest): BodyNotation {
  const notation = notationOf(request);
  if (notation !== undefined) return notation;
  const known = Object.values(MEDIA_TYPES).flatMap(([first]) => first ?? []);
  throw new StatusFailure(
    unsupportedMediaTypeStatus(
      `the body's media type must be one of ${known.join(', ')}; got "${mediaTypeOf(request.headers['content-type'] ?? '') || 'none'}"`,
    ),
  );
}

/** Returns the media type in a `Content-Type` header, in lower case and without parameters. */
const mediaTypeOf = (contentType: string): string => contentType.split(';')[0]?.trim().toLowerCase() ?? '';

const notationOfType = memoizeHeaders((contentType): BodyNotation | undefined => {
  const mediaType = mediaTypeOf(contentType);
  for (const [notation, types] of Object.entries(MEDIA_TYPES)) if (types.includes(mediaType)) return notation as BodyNotation;
  return undefined;
});

const notationOf = ({ headers }: FastifyRequest): BodyNotation | undefined => notationOfType(headers['content-type'] ?? '');

const bodies = new RequestValue<HeldBody>('held body');
/** Seconds after which a client should try again if its body was refused because of a memory limit. */
const RETRY_SECONDS = 1;

/** Returns true if the body of a request is read as a stream while it arrives, rather than whole. */
export function isStreamed(request: FastifyRequest): boolean {
  return notationOf(request) === 'ndjson';
}

/** Returns the number of bytes of a body that was read whole; 0 for a streamed body. */
export function bodyBytes({ body }: FastifyRequest): number {
  return Buffer.isBuffer(body) ? body.length : 0;
}

/**
 * Configures Fastify so that controllers receive bodies unparsed: as bytes (JSON, YAML) or as the stream itself (NDJSON). A body that is
 * read completely must stay below the size limit of its client. It must also fit into two memory limits: one for its flow, and one for all
 * clients. Calls `onBodyComplete` when such a body is complete.
 */
export function deliverBodiesRaw(
  fastify: FastifyInstance,
  limits: HeldBodyLimits,
  onBodyComplete: (request: FastifyRequest) => void,
): void {
  const held = new HeldBodies(limits);
  fastify.addHook('preParsing', (request, reply, payload, done) => {
    if (!isStreamed(request)) {
      const { level, name } = clientOf(request).flow;
      const body = held.open(`${level}/${name}`);
      bodies.set(request, body);
      whenClosed(reply, () => body.release());
    }
    done(null, payload);
  });
  fastify.removeAllContentTypeParsers();
  const refuseEncoded = (request: FastifyRequest): Error | null => {
    const encoding = request.headers['content-encoding']?.toLowerCase();
    return encoding && encoding !== 'identity'
      ? new StatusFailure(unsupportedMediaTypeStatus(`content-encoding ${encoding} is not supported`))
      : null;
  };
  fastify.addContentTypeParser([...MEDIA_TYPES.json, ...MEDIA_TYPES.yaml], async (request: FastifyRequest, payload: IncomingMessage) => {
    const refusal = refuseEncoded(request);
    if (refusal) throw refusal;
    const hold = (bytes: number): StatusFailure | undefined => {
      const why = bodies.get(request)?.hold(bytes);
      return why === undefined ? undefined : new StatusFailure(tooManyRequestsStatus(why, RETRY_SECONDS));
    };
    const bounds = { limit: clientOf(request).limits.maxBodyBytes, hold };
    const body = await collectBody(payload, Number(request.headers['content-length']), bounds);
    onBodyComplete(request);
    return body;
  });
  fastify.addContentTypeParser(
    [...MEDIA_TYPES.ndjson],
    (request: FastifyRequest, payload: IncomingMessage, done: (error: Error | null, body?: unknown) => void) =>
      done(refuseEncoded(request), payload),
  );
}

/** Size in bytes of the first block of memory for a body of unknown length. `MAX_BLOCK_BYTES` is the size of the largest block. */
const FIRST_BLOCK_BYTES = 64 * 1024;
const MAX_BLOCK_BYTES = 2 * 1024 * 1024;
/** Maximum size in bytes of blocks that are allocated from the shared buffer pool. */
const SHARED_BYTES = 4096;

/** Bounds of a body that is collected in memory. */
interface BodyBounds {
  /** Maximum size of the body, in bytes. */
  readonly limit: number;
  /**
   * Reserves memory for `bytes` more bytes of the body. Returns undefined if the bytes are reserved; returns the failure if they would
   * exceed a memory limit.
   */
  readonly hold: (bytes: number) => StatusFailure | undefined;
}

/**
 * Reads a request body completely and returns its bytes. The memory use is at most twice the size of the body, however small its pieces
 * are. A large body is not copied in one step. Throws the 413 failure for more than `limit` bytes. Throws the 400 failure if the length
 * differs from the announced length. Throws the failure that `hold` returns if memory for the next bytes cannot be reserved.
 *
 * @param announced length of the body by the request's header; NaN if the header is absent
 */
export async function collectBody(payload: Readable, announced: number, { limit, hold }: BodyBounds): Promise<Buffer> {
  if (announced > limit) throw tooLarge(limit);
  const blocks = new BodyBlocks(announced);
  await new Promise<void>((resolve, reject) => {
    const settle = (failure?: Error): void => {
      payload.off('data', take).off('end', end).off('error', fail);
      if (failure) reject(failure);
      else resolve();
    };
    const take = (piece: Buffer): void => {
      const refusal = blocks.length + piece.length > limit ? tooLarge(limit) : hold(piece.length);
      if (refusal) settle(refusal);
      else blocks.add(piece);
    };
    const fail = (error: Error & { statusCode?: number }): void => settle(Object.assign(error, { statusCode: error.statusCode ?? 400 }));
    const end = (): void => settle();
    payload.on('data', take).on('end', end).on('error', fail).resume();
  });
  if (!Number.isNaN(announced) && blocks.length !== announced)
    throw new StatusFailure(badRequestStatus('Request body size did not match Content-Length'));
  return blocks.joined();
}

const tooLarge = (limit: number): StatusFailure => new StatusFailure(tooLargeStatus(`limit is ${limit}`));

class BodyBlocks {
  length = 0;
  readonly #blocks: Buffer[] = [];
  /** Number of bytes of the last block that are filled. */
  #filled = 0;
  #nextBytes = FIRST_BLOCK_BYTES;
  readonly #announced: number;

  constructor(announced: number) {
    this.#announced = announced;
    if (announced < FIRST_BLOCK_BYTES) this.#nextBytes = announced;
  }

  add(piece: Buffer): void {
    // If at least half of the body arrives at once, the first block has room for the whole body.
    if (this.length === 0 && this.#announced <= 2 * piece.length) this.#nextBytes = this.#announced;
    this.length += piece.length;
    for (let from = 0; from < piece.length;) {
      const block = this.#block();
      const taken = piece.copy(block, this.#filled, from);
      this.#filled += taken;
      from += taken;
    }
  }

  async joined(): Promise<Buffer> {
    const [only, ...more] = this.#blocks;
    if (only === undefined) return Buffer.alloc(0);
    if (more.length === 0) return only.subarray(0, this.length);
    const whole = Buffer.allocUnsafeSlow(this.length);
    let at = 0;
    for (const block of this.#blocks) {
      at += block.copy(whole, at, 0, Math.min(block.length, this.length - at));
      await setImmediate();
    }
    return whole;
  }

  /** Returns the last block if it has free space; otherwise allocates a new block. */
  #block(): Buffer {
    const last = this.#blocks.at(-1);
    if (last && this.#filled < last.length) return last;
    if (last && this.#blocks.length === 1 && this.#announced > last.length) return this.#whole(last);
    const bytes = Math.max(1, this.#nextBytes);
    // Small blocks come from Node's shared pool, because a separate allocation would take longer than reading the rest of such a body.
    const block = bytes <= SHARED_BYTES ? Buffer.allocUnsafe(bytes) : Buffer.allocUnsafeSlow(bytes);
    this.#nextBytes = Math.min(Math.max(FIRST_BLOCK_BYTES, 2 * block.length), MAX_BLOCK_BYTES);
    this.#blocks.push(block);
    this.#filled = 0;
    return block;
  }

  /**
   * Replaces the first block with a block for the whole announced length. Called only after a part of the body has arrived, because a
   * client can announce any length at no cost.
   */
  #whole(first: Buffer): Buffer {
    const whole = Buffer.allocUnsafeSlow(this.#announced);
    first.copy(whole);
    this.#blocks[0] = whole;
    return whole;
  }
}
