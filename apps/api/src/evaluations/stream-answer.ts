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
 * Returns an answer whose parts are useless alone. A short answer is returned as text and sent in one piece; a long answer is returned as a
 * stream.
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
 * Returns a stream after its first piece has been produced. A failure before the first piece rejects, so that it can still become an
 * ordinary error answer.
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
 * Yields the lines of an answer. If a failure occurs after the first line was sent, the status code can no longer change. The Status of the
 * failure is then yielded as the last line.
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
