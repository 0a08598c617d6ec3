import type { FastifyInstance } from 'fastify';
import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** Header for the id of a request, both in requests and in answers. */
export const REQUEST_ID_HEADER = 'x-request-id';
const SAFE_ID = /^[A-Za-z0-9-]{1,64}$/;

/** Returns the request id that the client sent, if its characters are safe for a log; otherwise returns a new id. */
export function requestIdOf(headers: IncomingHttpHeaders): string {
  const requested = headers[REQUEST_ID_HEADER];
  return typeof requested === 'string' && SAFE_ID.test(requested) ? requested : randomUUID();
}

/**
 * Adds the id of the request to every answer, only in a header. The API server, too, sends its Audit-ID in a header and leaves Status
 * unchanged (source: k8s.io/apiserver/pkg/endpoints/filters/audit_init.go, 1.37).
 */
export function nameRequests(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    void reply.header(REQUEST_ID_HEADER, request.id);
    done();
  });
}
