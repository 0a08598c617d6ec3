import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { unsupportedMediaTypeStatus } from '#kube';
import { StatusFailure } from './status.filter.ts';

/** How a request's body is written. */
export type BodyNotation = 'json' | 'yaml' | 'ndjson';

/** Media types by notation. YAML has had several names. */
export const MEDIA_TYPES: Readonly<Record<BodyNotation, readonly string[]>> = {
  json: ['application/json'],
  yaml: ['application/yaml', 'application/x-yaml', 'text/yaml', 'text/x-yaml'],
  ndjson: ['application/x-ndjson', 'application/ndjson', 'application/jsonl', 'application/json-seq'],
};

/** The notation of a request's body; throws the 415 of any other. */
export function bodyNotation(request: FastifyRequest): BodyNotation {
  const mediaType = mediaTypeOf(request);
  for (const [notation, types] of Object.entries(MEDIA_TYPES)) if (types.includes(mediaType)) return notation as BodyNotation;
  const known = Object.values(MEDIA_TYPES).flatMap(([first]) => first ?? []);
  throw new StatusFailure(
    unsupportedMediaTypeStatus(`the body's media type must be one of ${known.join(', ')}; got "${mediaType || 'none'}"`),
  );
}

function mediaTypeOf(request: FastifyRequest): string {
  return (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

/** Whether a request's body is read while it comes, never whole. */
export function isStreamed(request: FastifyRequest): boolean {
  return MEDIA_TYPES.ndjson.includes(mediaTypeOf(request));
}

/** Bytes of a body that was read whole; 0 of one that is streamed. */
export function bodyBytes({ body }: FastifyRequest): number {
  return Buffer.isBuffer(body) ? body.length : 0;
}

/** Bodies reach controllers as bytes (JSON, YAML) or as the stream itself (NDJSON): the API process parses none of them. */
export function useRawBodies(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  const refuseEncoded = (request: FastifyRequest): Error | null => {
    const encoding = request.headers['content-encoding'];
    return encoding && encoding !== 'identity'
      ? new StatusFailure(unsupportedMediaTypeStatus(`content-encoding ${encoding} is not supported`))
      : null;
  };
  fastify.addContentTypeParser([...MEDIA_TYPES.json, ...MEDIA_TYPES.yaml], { parseAs: 'buffer' }, (request, body, done) =>
    done(refuseEncoded(request), body),
  );
  fastify.addContentTypeParser(
    [...MEDIA_TYPES.ndjson],
    (request: FastifyRequest, payload: IncomingMessage, done: (error: Error | null, body?: unknown) => void) =>
      done(refuseEncoded(request), payload),
  );
}
