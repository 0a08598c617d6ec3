import type { FastifyInstance } from 'fastify';
import helmet from 'helmet';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { FRONT_PAGE_PATH } from './page/serve-page.ts';
import { memoizeHeaders } from './memoize-headers.ts';

type Policy = Readonly<Record<string, readonly string[]>>;

/** Content security policy of data answers. A browser may not load, run, frame or submit anything in a data answer. */
const ANSWER_POLICY: Policy = {
  'default-src': ["'none'"],
  'frame-ancestors': ["'none'"],
  'base-uri': ["'none'"],
  'form-action': ["'none'"],
};
/**
 * Content security policy of the API description page. The page loads its own scripts and styles. Swagger UI writes styles into elements
 * and draws with `data:` images.
 */
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

/**
 * Content security policy of the web page that validates objects in the browser. The workers of the page have a separate policy. Code
 * editors write styles into elements, and draw with `data:` images.
 */
const FRONT_POLICY: Policy = { ...PAGE_POLICY, 'worker-src': ["'self'"], 'manifest-src': ["'self'"] };
/** Content security policy of the page's workers. Rules run as generated code in a worker that has no network access. */
const WORKER_POLICY: Policy = { 'default-src': ["'none'"], 'script-src': ["'self'", "'unsafe-eval'"], 'connect-src': ["'none'"] };

/**
 * Kind of an answer: data, the API description page, the web page that validates objects in the browser, or the script of that page's
 * workers.
 */
type Answered = 'data' | 'description' | 'front' | 'worker';
const POLICIES: Readonly<Record<Answered, Policy>> = {
  data: ANSWER_POLICY,
  description: PAGE_POLICY,
  front: FRONT_POLICY,
  worker: WORKER_POLICY,
};

/** Function that returns the security headers of an answer. The default kind is `data`. */
export type SecurityHeaders = (answered?: Answered) => Readonly<Record<string, string>>;

/**
 * Returns a function that returns the security headers for each kind of answer. Data answers have the strictest policy; each page has the
 * strictest policy under which it works. If `encrypted` is true, the headers make clients use only HTTPS.
 */
export function securityHeaders(encrypted: boolean): SecurityHeaders {
  const withPolicy = (directives: Policy): ReturnType<typeof helmet> =>
    helmet({
      contentSecurityPolicy: { useDefaults: false, directives },
      frameguard: { action: 'deny' },
      strictTransportSecurity: encrypted && { maxAge: 31_536_000, includeSubDomains: false },
      // Answers with data need none of these headers. The pages share nothing with other windows or sibling domains, and load nothing from
      // other hosts. The last three headers are for old browsers and plug-ins.
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

/** Returns the headers that a middleware sets on every answer. The headers do not depend on the request. */
function headersOf(set: ReturnType<typeof helmet>): Readonly<Record<string, string>> {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  set(request, response, thrown);
  const headers = Object.entries(response.getHeaders()).map(([name, value]) => [name.toLowerCase(), String(value)]);
  return { ...(Object.fromEntries(headers) as Record<string, string>), 'cache-control': 'no-store' };
}

/** Rethrows an error that Helmet reports about a wrong directive. No such error is expected, because all directives are constants. */
function thrown(error?: unknown): void {
  if (error !== undefined) throw error;
}

/** Adds the security headers to every response, whatever its status code. */
export function secureResponses(fastify: FastifyInstance, headers: SecurityHeaders): void {
  const headersOfRoute = memoizeHeaders((route) => headers(answeredBy(route)));
  fastify.addHook('onRequest', (request, reply, done) => {
    void reply.headers(headersOfRoute(request.routeOptions.url ?? ''));
    done();
  });
}

/** Returns the kind of the answers of a route: a page or its script, the script of the page's workers, or data. */
function answeredBy(route: string): Answered {
  if (/^\/docs(?:$|\/)/.test(route)) return 'description';
  if (/^\/assets\/worker-[\w-]+\.js$/.test(route)) return 'worker';
  return route === FRONT_PAGE_PATH || /\.(?:html|js)$/.test(route) ? 'front' : 'data';
}
