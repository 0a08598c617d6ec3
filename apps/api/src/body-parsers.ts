import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { tooManyRequestsStatus, unsupportedMediaTypeStatus } from '#kube';
import { clientOf } from './access/client.ts';
import { collectBody } from './collect-body.ts';
import { HeldBodies } from '#http-server';
import type { HeldBody, HeldBodyLimits } from '#http-server';
import { whenClosed } from './http/when-closed.ts';
import { cachingTexts } from './remembering.ts';
import { RequestValue } from './request-value.ts';
import { StatusFailure } from './status.filter.ts';

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

const notationOfType = cachingTexts((contentType): BodyNotation | undefined => {
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
 * read completely must stay below the size limit of its client. It must also fit into two memory limits: one for its flow (the queue of one
 * client), and one for all clients. Calls `bodyCame` when such a body is complete.
 */
export function useRawBodies(fastify: FastifyInstance, limits: HeldBodyLimits, bodyCame: (request: FastifyRequest) => void): void {
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
    bodyCame(request);
    return body;
  });
  fastify.addContentTypeParser(
    [...MEDIA_TYPES.ndjson],
    (request: FastifyRequest, payload: IncomingMessage, done: (error: Error | null, body?: unknown) => void) =>
      done(refuseEncoded(request), payload),
  );
}
