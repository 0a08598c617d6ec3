import type { FastifyInstance } from 'fastify';
import helmet from 'helmet';
import type { IncomingMessage, ServerResponse } from 'node:http';

type Policy = Readonly<Record<string, readonly string[]>>;

/** Answers are data: nothing in them is to be loaded, run, framed or guessed at. */
const ANSWER_POLICY: Policy = {
  'default-src': ["'none'"],
  'frame-ancestors': ["'none'"],
  'base-uri': ["'none'"],
  'form-action': ["'none'"],
};
/** The description's page loads its own scripts and styles; Swagger UI writes styles into elements and draws with data: images. */
const PAGE_POLICY: Policy = {
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'", "'unsafe-inline'"],
  'img-src': ["'self'", 'data:'],
  'font-src': ["'self'"],
  'connect-src': ["'self'"],
  'frame-ancestors': ["'none'"],
  'base-uri': ["'none'"],
  'form-action': ["'none'"],
};

/** Sets headers on a raw response, so that hijacked ones have them too. */
export type SecurityHeaders = (request: IncomingMessage, response: ServerResponse, page?: boolean) => void;

/** The headers of every answer that is an answer of data, and of the description's page, which gets a policy under which it works. */
export function securityHeaders(encrypted: boolean): SecurityHeaders {
  const [ofAnswers, ofPage] = [ANSWER_POLICY, PAGE_POLICY].map((directives) =>
    helmet({
      contentSecurityPolicy: { useDefaults: false, directives },
      frameguard: { action: 'deny' },
      strictTransportSecurity: encrypted && { maxAge: 31_536_000, includeSubDomains: false },
      // What says nothing to whoever reads data.
      crossOriginOpenerPolicy: false,
      originAgentCluster: false,
      dnsPrefetchControl: false,
      ieNoOpen: false,
      permittedCrossDomainPolicies: false,
      xssFilter: false,
    }),
  );
  return (request, response, page = false) => {
    (page ? ofPage : ofAnswers)?.(request, response, thrown);
    response.setHeader('cache-control', 'no-store');
  };
}

/** Helmet hands on what its directives do to it; ours are constants. */
function thrown(error?: unknown): void {
  if (error !== undefined) throw error;
}

/** Security headers on every response, whatever its code. */
export function secureResponses(fastify: FastifyInstance, set: SecurityHeaders): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    set(request.raw, reply.raw, /^\/docs(?:$|\/)/.test(request.routeOptions.url ?? ''));
    done();
  });
}
