import type { FastifyInstance, FastifyRequest } from 'fastify';
import { badRequestStatus, forbiddenStatus } from '#kube';
import { requiresIdentity, isLoopbackHost } from '../access/exposure.ts';
import type { ApiConfig } from '../config.ts';
import { memoizeHeaders } from '../memoize-headers.ts';
import { StatusFailure } from '../status.filter.ts';

const HOST = 'host';

/**
 * Refuses requests that do not have exactly one valid `Host` (RFC 9112, section 3.2). If the service requires no key and listens on
 * loopback only, it also refuses requests from pages of other sites. Such a page may have a name that resolves to 127.0.0.1 (DNS
 * rebinding). The service recognizes such a page because the browser sends the name of the page as `Host`.
 */
export function checkHost(fastify: FastifyInstance, config: HostPolicy): void {
  const open = !requiresIdentity(config) && isLoopbackHost(config.host);
  const allowed = new Set(config.allowedHosts.map((name) => name.toLowerCase()));
  const isOwn = memoizeHeaders((authority) => {
    const name = hostName(authority);
    return name !== undefined && (isLoopbackHost(name) || allowed.has(name));
  });
  fastify.addHook('onRequest', (request, reply, done) => {
    const authority = authorityOf(request);
    if (authority === undefined) {
      if (request.raw.httpVersionMajor < 2) void reply.header('connection', 'close');
      return done(new StatusFailure(badRequestStatus('the request must have one Host header')));
    }
    if (open && !isOwn(authority))
      return done(new StatusFailure(forbiddenStatus(`the host is not one of this service's (ASSAY_ALLOWED_HOSTS names further ones)`)));
    if (open && isForeign(request, isOwn))
      return done(new StatusFailure(forbiddenStatus('pages of other sites may not use a service that asks for no key')));
    done();
  });
}

type HostPolicy = Pick<ApiConfig, 'host' | 'allowedHosts'> & Parameters<typeof requiresIdentity>[0];

/** Returns the authority that a request is addressed to; undefined if it is missing or ambiguous. */
function authorityOf({ raw, headers }: FastifyRequest): string | undefined {
  if (raw.httpVersionMajor >= 2) return String(raw.headers[':authority'] ?? headers.host ?? '') || undefined;
  const { rawHeaders } = raw;
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i];
    if (name?.length === HOST.length && name.toLowerCase() === HOST) hosts++;
  }
  if (hosts > 1 || (hosts === 0 && raw.httpVersion === '1.1')) return undefined;
  return headers.host ?? 'localhost';
}

/**
 * Returns the host name or address of an authority, in lower case and without port and brackets. Returns undefined if the authority is
 * invalid.
 */
function hostName(authority: string): string | undefined {
  // The authority of an HTTP request contains only a host and a port (RFC 9110, section 7.2).
  if (/[/?#@\\]/.test(authority)) return undefined;
  const url = URL.parse(`http://${authority}`);
  return url?.hostname.replace(/^\[(?<address>.*)\]$/, '$<address>').toLowerCase();
}

/** Returns true if the headers of the browser show that a page of another site sent the request. */
function isForeign({ headers }: FastifyRequest, isOwn: (authority: string) => boolean): boolean {
  if (headers['sec-fetch-site'] === 'cross-site') return true;
  const { origin } = headers;
  if (origin === undefined) return false;
  const url = URL.parse(origin);
  return url === null || !isOwn(url.host);
}
