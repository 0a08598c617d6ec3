import type { FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import type { Log } from '#telemetry';
import { logFields } from '../request-span.ts';
import { statusOf } from '../status.filter.ts';

/** Media type of answers that have one verdict per line. */
export const NDJSON = 'application/x-ndjson';
/** Maximum number of characters of an answer that is collected completely before it is sent. */
const WHOLE_ANSWER_CHARACTERS = 64 * 1024;

/**
 * Returns an answer that a client can use only as a whole. A short answer (at most `WHOLE_ANSWER_CHARACTERS` characters) is returned as
 * text and sent in one piece; a long answer is returned as a stream.
 */
export async function wholeOrReadable(pieces: AsyncGenerator<string>): Promise<string | Readable> {
  let text = '';
  for (;;) {
    const { done, value } = await pieces.next();
    if (done) return text;
    text += value;
    if (text.length > WHOLE_ANSWER_CHARACTERS) break;
  }
  return continued(text, pieces);
}

/**
 * Returns a stream after its first piece has been produced. Rejects if a failure occurs before the first piece, so that the service can
 * still send an ordinary error answer.
 */
export async function readable(pieces: AsyncGenerator<string>): Promise<Readable> {
  const { done, value } = await pieces.next();
  return continued(done ? '' : value, pieces);
}

/** Returns a stream that begins with `text` and continues with `rest`. */
function continued(text: string, rest: AsyncGenerator<string>): Readable {
  return Readable.from(
    (async function* () {
      if (text !== '') yield text;
      yield* rest;
    })(),
    { objectMode: false },
  );
}

/**
 * Yields the lines of an answer. After the first line was sent, a failure cannot change the status code, so the Status of the failure is
 * yielded as the last line.
 */
export async function* withFailureLine(lines: AsyncGenerator<string>, request: FastifyRequest, log: Log): AsyncGenerator<string> {
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
