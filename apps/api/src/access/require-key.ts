import type { FastifyInstance, FastifyRequest } from 'fastify';
import { tooManyRequestsStatus, unauthorizedStatus } from '#kube';
import type { ApiConfig } from '../config.ts';
import { isProbe, METRICS } from '../health/watching.ts';
import { StatusFailure } from '../status.filter.ts';
import type { AccessKey } from './access-keys.ts';
import { anyoneAt, divided, holderOf, rememberClient } from './client.ts';
import type { Client } from './client.ts';
import { divisionOf } from './flow.ts';
import { findKey, presentedToken } from './find-key.ts';
import { TokenBucket } from './token-bucket.ts';

const REMEMBERED_ADDRESSES = 1000;

interface Holder {
  readonly sha256: Uint8Array;
  readonly client: Client;
  readonly bucket: TokenBucket | undefined;
}

/**
 * Finds out who sends each request before its body is read. Where keys are configured, a request without one that is known is answered
 * with 401 on every path, known or not, except probes, the description of the API, and metrics where they are configured open; a key that
 * comes more often than it may is answered with 429.
 */
export function requireKey(fastify: FastifyInstance, config: ApiConfig): void {
  const holders = config.keys?.map((key) => ({ sha256: key.sha256, client: holderOf(key, config), bucket: bucketOf(key) }));
  const anyone = strangers(config);
  fastify.addHook('onRequest', (request, reply, done) => {
    if (!holders || isOpen(request, config)) return admit(request, anyone(request.ip), done);
    const holder = holderIn(holders, request);
    if (!holder) {
      void reply.header('www-authenticate', 'Bearer realm="assay"');
      // The body of a request without a valid key is not read to its end.
      if (announcesBody(request)) void reply.header('connection', 'close');
      return done(new StatusFailure(unauthorizedStatus()));
    }
    const waitSeconds = holder.bucket?.take(performance.now()) ?? 0;
    if (waitSeconds === 0) return admit(request, holder.client, done);
    rememberClient(request, holder.client);
    done(new StatusFailure(tooManyRequestsStatus('this key asks more often than it may, please try again later', waitSeconds)));
  });
}

/** Clients without a key, by address; the recent ones are remembered. */
function strangers(config: ApiConfig): (address: string) => Client {
  const known = new Map<string, Client>();
  return (address) => {
    const client = known.get(address) ?? anyoneAt(address, config);
    if (known.size >= REMEMBERED_ADDRESSES) known.clear();
    known.set(address, client);
    return client;
  };
}

/** Lets a request in, in the division of its client's flow that it asks for. */
function admit(request: FastifyRequest, client: Client, done: (error?: Error) => void): void {
  rememberClient(request, client);
  try {
    rememberClient(request, divided(client, divisionOf(request.headers)));
  } catch (error) {
    return done(error as Error);
  }
  done();
}

function holderIn(holders: readonly Holder[], request: FastifyRequest): Holder | undefined {
  const token = presentedToken(request.headers);
  return token === undefined ? undefined : findKey(holders, token);
}

/** Whether the matched route (never the path as the client wrote it) needs no key. */
function isOpen(request: FastifyRequest, { metricsOpen }: ApiConfig): boolean {
  const route = request.routeOptions.url;
  if (route === undefined) return false;
  return isProbe(route) || (route === METRICS && metricsOpen) || /^\/docs(?:$|[/-])/.test(route);
}

function announcesBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function bucketOf({ requestsPerSecond: rate, burst }: AccessKey): TokenBucket | undefined {
  return rate === undefined ? undefined : new TokenBucket(rate, burst ?? Math.max(1, Math.ceil(rate)), performance.now());
}
