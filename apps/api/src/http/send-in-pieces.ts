import type { FastifyInstance } from 'fastify';
import { Readable } from 'node:stream';

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
    // This keeps the two halves of a surrogate pair together.
    if (/[\uD800-\uDBFF]/.test(text.charAt(end - 1))) end++;
    yield text.slice(from, end);
    from = end;
  }
}
