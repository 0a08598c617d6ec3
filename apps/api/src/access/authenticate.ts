import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { forbiddenStatus, serviceUnavailableStatus, tooManyRequestsStatus, unauthorizedStatus } from '#kube';
import type { Log } from '#telemetry';
import type { ApiConfig } from '../config.ts';
import { isProbe, METRICS } from '../health/watching.ts';
import { pagePaths } from '../page/serve-page.ts';
import { logFields } from '../request-span.ts';
import { StatusFailure } from '../status.filter.ts';
import { ClientCertificates, identify } from './identify.ts';
import { anyoneAt, divided, rememberClient } from './client.ts';
import type { Client } from './client.ts';
import { FailedAttempts } from './token-bucket.ts';
import { divisionOf } from './flow.ts';
import type { Identified, IdentityProvider } from './identify.ts';
import { JsonWebTokens } from './json-web-tokens.ts';
import type { KeyRing } from './key-ring.ts';
import { rolesFor } from './access-keys.ts';

const REMEMBERED_ADDRESSES = 1000;
/** Seconds after which a client may retry if the token issuer does not answer. */
const ISSUER_RETRY_SECONDS = 5;

/**
 * Returns the identity providers that are configured for this service. If no provider is configured, the list is empty and every route is
 * open.
 */
export function identityProviders(config: ApiConfig, keys: KeyRing): readonly IdentityProvider[] {
  return [
    ...(config.issuer ? [new JsonWebTokens(config.issuer, config)] : []),
    ...(config.keys ? [keys] : []),
    ...(config.certificateIdentities ? [new ClientCertificates(config)] : []),
  ];
}

/**
 * Identifies the sender of each request before the body is read. If the service has identity providers, every path needs an identity,
 * whether or not the path exists. Health probes, the web page and the API description need no identity. Metrics need none if they are
 * configured as open.
 *
 * Answers 401 to a request without an identity, and 403 if the client lacks the role for the route. Answers 429 if the client sends
 * requests too often.
 */
export function authenticate(fastify: FastifyInstance, config: ApiConfig, providers: readonly IdentityProvider[], log: Log): void {
  const anyone = strangers(config);
  const failures = new FailedAttempts();
  const page = pagePaths(config);
  // Without authentication, the hook awaits nothing, so it needs no promise.
  if (providers.length === 0)
    return void fastify.addHook('onRequest', (request, _, done) => {
      admit(request, anyone(request.ip));
      done();
    });
  fastify.addHook('onRequest', async (request, reply) => {
    if (isOpen(request, config, page)) return admit(request, anyone(request.ip));
    const found = await identify(providers, request);
    if (found.kind === 'identified') return admitIdentified(request, found);
    if (found.kind === 'rejected') throw tooOften(failures.count(request.ip)) ?? refuse(request, reply, found.why, log);
    log.error({ why: found.why, ...logFields(request) }, 'nobody can be identified');
    throw new StatusFailure(
      serviceUnavailableStatus(
        'the issuer of tokens is in trouble, so the identity of the client cannot be checked; please try again later',
        ISSUER_RETRY_SECONDS,
      ),
    );
  });
}

/** Returns the 429 failure for an address whose authentication fails too often; undefined if `waitSeconds` is 0. */
const tooOften = (waitSeconds: number): StatusFailure | undefined =>
  waitSeconds > 0
    ? new StatusFailure(tooManyRequestsStatus('authentication failed too often, please try again later', waitSeconds))
    : undefined;

/** Logs a failed authentication and returns the 401 failure for the request. */
function refuse(request: FastifyRequest, reply: FastifyReply, reason: string, log: Log): StatusFailure {
  void reply.header('www-authenticate', 'Bearer realm="assay"');
  log.warn({ address: request.ip, why: reason, ...logFields(request) }, 'authentication failed');
  return new StatusFailure(unauthorizedStatus());
}

async function admitIdentified(request: FastifyRequest, { client, rate }: Identified): Promise<void> {
  rememberClient(request, client);
  const route = request.routeOptions.url;
  const wanted = rolesFor(route, request.method);
  // For an unknown path, `route` is undefined. An authenticated client then gets a 404, and no 403.
  if (route !== undefined && !wanted.some((role) => client.roles.has(role)))
    throw new StatusFailure(forbiddenStatus(`this needs the role ${wanted.join(' or ')}, which the client does not have`));
  const waitSeconds = (await rate?.take()) ?? 0;
  if (waitSeconds > 0)
    throw new StatusFailure(tooManyRequestsStatus('this key asks more often than it may, please try again later', waitSeconds));
  admit(request, client);
}

/**
 * Returns a function that maps an IP address to a client, for a service that requires no identity. The function caches the clients of
 * recent addresses.
 */
function strangers(config: ApiConfig): (address: string) => Client {
  const known = new LRUCache<string, Client>({ max: REMEMBERED_ADDRESSES });
  return (address) => {
    const remembered = known.get(address);
    if (remembered) return remembered;
    const client = anyoneAt(address, config);
    known.set(address, client);
    return client;
  };
}

/**
 * Admits a request: stores the client that sent it. The flow of the stored client has the division (part of the flow) that the request
 * header names.
 */
function admit(request: FastifyRequest, client: Client): void {
  rememberClient(request, client);
  rememberClient(request, divided(client, divisionOf(request.headers)));
}

/** Returns true if a request needs no identity. The check uses the route that the router matched, never the raw path of the request. */
function isOpen(request: FastifyRequest, { metricsOpen }: ApiConfig, page: ReadonlySet<string>): boolean {
  const route = request.routeOptions.url;
  if (route === undefined) return false;
  return isProbe(route) || page.has(route) || (route === METRICS && metricsOpen) || /^\/docs(?:$|[/-])/.test(route);
}
