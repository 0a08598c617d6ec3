import compress from '@fastify/compress';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { constants } from 'node:zlib';

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
    // The body parsers reject compressed requests with their own message.
    globalDecompression: false,
  });
}
