import type { FastifyInstance } from 'fastify';
import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** Header of a request's id, in requests and answers. */
export const REQUEST_ID_HEADER = 'x-request-id';
const SAFE_ID = /^[A-Za-z0-9-]{1,64}$/;

/** Returns the client's id of a request where it can do no harm in a log, else a new one. */
export function requestIdOf(headers: IncomingHttpHeaders): string {
  const requested = headers[REQUEST_ID_HEADER];
  return typeof requested === 'string' && SAFE_ID.test(requested) ? requested : randomUUID();
}

/**
 * Every answer names its request. Only the header does: the API server, too, tells its Audit-ID in a header and leaves Status alone
 * (source: k8s.io/apiserver/pkg/endpoints/filters/audit_init.go, 1.37).
 */
export function nameRequests(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    void reply.header(REQUEST_ID_HEADER, request.id);
    done();
  });
}
