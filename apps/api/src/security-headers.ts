import type { FastifyInstance } from 'fastify';
import helmet from 'helmet';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { FRONT } from './page/serve-page.ts';
import { remembering } from './remembering.ts';

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

/** The page that judges in the browser: its workers have a policy of their own. Editors of code write styles into elements, and draw with data: images. */
const FRONT_POLICY: Policy = { ...PAGE_POLICY, 'worker-src': ["'self'"], 'manifest-src': ["'self'"] };
/** Rules run as generated code in a worker that reaches no network. */
const WORKER_POLICY: Policy = { 'default-src': ["'none'"], 'script-src': ["'self'", "'unsafe-eval'"], 'connect-src': ["'none'"] };

/** The kind of an answer: data, the description's page, the page that judges, or the script of its workers. */
type Answered = 'data' | 'description' | 'front' | 'worker';
const POLICIES: Readonly<Record<Answered, Policy>> = {
  data: ANSWER_POLICY,
  description: PAGE_POLICY,
  front: FRONT_POLICY,
  worker: WORKER_POLICY,
};

/** Headers of answers; by default of data. */
export type SecurityHeaders = (answered?: Answered) => Readonly<Record<string, string>>;

/** Returns the headers of every answer that is an answer of data, and of pages, which get policies under which they work. */
export function securityHeaders(encrypted: boolean): SecurityHeaders {
  const withPolicy = (directives: Policy): ReturnType<typeof helmet> =>
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
    });
  const headers = Object.fromEntries(Object.entries(POLICIES).map(([answered, policy]) => [answered, withPolicy(policy)]));
  const constant = new Map(Object.entries(headers).map(([answered, set]) => [answered, headersOf(set)]));
  return (answered = 'data') => constant.get(answered) ?? {};
}

/** Returns the headers that a middleware sets on every answer. They depend on no request. */
function headersOf(set: ReturnType<typeof helmet>): Readonly<Record<string, string>> {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  set(request, response, thrown);
  const headers = Object.entries(response.getHeaders()).map(([name, value]) => [name.toLowerCase(), String(value)]);
  return { ...(Object.fromEntries(headers) as Record<string, string>), 'cache-control': 'no-store' };
}

/** Helmet hands on what its directives do to it; ours are constants. */
function thrown(error?: unknown): void {
  if (error !== undefined) throw error;
}

/** Security headers on every response, whatever its code. */
export function secureResponses(fastify: FastifyInstance, headers: SecurityHeaders): void {
  const headersOfRoute = remembering((route) => headers(answeredBy(route)));
  fastify.addHook('onRequest', (request, reply, done) => {
    void reply.headers(headersOfRoute(request.routeOptions.url ?? ''));
    done();
  });
}

/** Returns the kind of a route's answers. */
function answeredBy(route: string): Answered {
  if (/^\/docs(?:$|\/)/.test(route)) return 'description';
  if (/^\/assets\/worker-[\w-]+\.js$/.test(route)) return 'worker';
  return route === FRONT || /\.(?:html|js)$/.test(route) ? 'front' : 'data';
}
