import type { FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import type { Log } from '#telemetry';
import { logFields } from '../request-span.ts';
import { statusOf } from '../status.filter.ts';

/** Media type of answers that have one verdict per line. */
export const NDJSON = 'application/x-ndjson';
/** Piece of an answer: a text, or its UTF-8 bytes. */
export type Piece = string | Uint8Array;

/** Maximum number of characters of an answer that is collected completely before it is sent. */
const WHOLE_ANSWER_CHARACTERS = 64 * 1024;

/**
 * Returns an answer that a client can use only as a whole. A short answer (at most `WHOLE_ANSWER_CHARACTERS` characters) is returned as
 * text and sent in one piece; a long answer is returned as a stream.
 */
export async function wholeOrReadable(pieces: AsyncGenerator<Piece>): Promise<string | Readable> {
  const begun: Piece[] = [];
  for (let length = 0; length <= WHOLE_ANSWER_CHARACTERS;) {
    const { done, value } = await pieces.next();
    if (done) return begun.map(textOf).join('');
    begun.push(value);
    length += value.length;
  }
  return continued(begun, pieces);
}

const textOf = (piece: Piece): string => (typeof piece === 'string' ? piece : Buffer.from(piece).toString());

/**
 * Returns a stream after its first piece has been produced. Rejects if a failure occurs before the first piece, so that the service can
 * still send an ordinary error answer.
 */
export async function readable(pieces: AsyncGenerator<Piece>): Promise<Readable> {
  const { done, value } = await pieces.next();
  return continued(done ? [] : [value], pieces);
}

/** Returns a stream that begins with `begun` and continues with `rest`. */
function continued(begun: readonly Piece[], rest: AsyncGenerator<Piece>): Readable {
  return Readable.from(
    (async function* () {
      yield* begun.filter(({ length }) => length > 0);
      yield* rest;
    })(),
    { objectMode: false },
  );
}

/**
 * Yields the lines of an answer. After the first line was sent, a failure cannot change the status code, so the Status of the failure is
 * yielded as the last line.
 */
export async function* withFailureLine(lines: AsyncGenerator<Piece>, request: FastifyRequest, log: Log): AsyncGenerator<Piece> {
  let begun = false;
  try {
    for await (const line of lines) {
      begun = true;
      yield line;
    }
  } catch (error) {
    if (!begun) throw error;
    const status = statusOf(error);
    if (status.code >= 500) log.error({ err: error, ...logFields(request) }, 'a stream failed');
    yield `${JSON.stringify(status)}\n`;
  }
}
