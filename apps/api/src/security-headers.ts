import type { FastifyInstance } from 'fastify';
import type { ServerResponse } from 'node:http';

/** Answers are data: nothing in them is to be loaded, run, framed or guessed at. */
const ANSWER_POLICY = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";
/** The description's page loads its own scripts and styles; Swagger UI writes styles into elements and draws with data: images. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; " +
  "frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** Sets the headers of every answer that is an answer of data. They are set on the raw response, so that hijacked ones have them too. */
export function setSecurityHeaders(raw: ServerResponse, encrypted: boolean): void {
  raw.setHeader('x-content-type-options', 'nosniff');
  raw.setHeader('x-frame-options', 'DENY');
  raw.setHeader('referrer-policy', 'no-referrer');
  raw.setHeader('cross-origin-resource-policy', 'same-origin');
  raw.setHeader('content-security-policy', ANSWER_POLICY);
  raw.setHeader('cache-control', 'no-store');
  if (encrypted) raw.setHeader('strict-transport-security', 'max-age=31536000');
}

/** Security headers on every response, whatever its code; the description's page gets a policy under which it works. */
export function secureResponses(fastify: FastifyInstance, encrypted: boolean): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    setSecurityHeaders(reply.raw, encrypted);
    if (/^\/docs(?:$|\/)/.test(request.routeOptions.url ?? '')) reply.raw.setHeader('content-security-policy', PAGE_POLICY);
    done();
  });
}
