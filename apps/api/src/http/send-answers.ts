import { Readable } from 'node:stream';
import { constants } from 'node:zlib';
import compress from '@fastify/compress';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';

/** Minimum length in bytes of an answer that is compressed. For shorter answers, compression costs more than it saves. */
const MIN_BYTES = 1024;
/**
 * Compression quality of Brotli. `GZIP_LEVEL` is the compression level of gzip. Such low levels already remove nine tenths of the bytes,
 * because verdicts repeat the same words.
 */
const BROTLI_QUALITY = 2;
const GZIP_LEVEL = 1;

/**
 * Compresses answers (br, gzip) for clients that accept compressed answers, off the event loop and in bounded memory. Streamed verdicts are
 * sent block by block even if they are compressed. Server-sent events are not compressed.
 */
export async function compressAnswers(app: NestFastifyApplication): Promise<void> {
  await app.register(compress, {
    threshold: MIN_BYTES,
    encodings: ['br', 'gzip'],
    customTypes: (type) => /^(?:application\/(?:json|x-ndjson|yaml)|text\/(?:html|css|javascript|plain))(?:;|$)/.test(type),
    brotliOptions: {
      params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY },
      flush: constants.BROTLI_OPERATION_FLUSH,
    },
    zlibOptions: { level: GZIP_LEVEL, flush: constants.Z_SYNC_FLUSH },
    // Compressed requests stay compressed, because the body parsers reject them with their own message.
    globalDecompression: false,
  });
}

/** Number of characters of an answer that are sent in one piece. */
const PIECE_CHARACTERS = 64 * 1024;

/**
 * Sends long texts piece by piece. A client that does not read an answer then costs the memory of one piece. Otherwise, each such client
 * would cost a copy of the whole text.
 */
export function sendInPieces(fastify: FastifyInstance): void {
  fastify.addHook('onSend', ({ method }, reply, payload, done) => {
    if (typeof payload !== 'string' || payload.length <= PIECE_CHARACTERS || method === 'HEAD') return done(null, payload);
    void reply.header('content-length', Buffer.byteLength(payload));
    done(null, Readable.from(pieces(payload), { objectMode: false, highWaterMark: 1 }));
  });
}

function* pieces(text: string): Generator<string> {
  for (let from = 0; from < text.length;) {
    let end = from + PIECE_CHARACTERS;
    // Keeps the two halves of a surrogate pair together.
    if (/[\uD800-\uDBFF]/.test(text.charAt(end - 1))) end++;
    yield text.slice(from, end);
    from = end;
  }
}
