import type { FastifyInstance } from 'fastify';
import { tooManyRequestsStatus } from '#kube';
import { clientOf } from '../access/client.ts';
import { isWatching } from '../health/watching.ts';
import type { ApiConfig } from '../config.ts';
import { StatusFailure } from '../status.filter.ts';
import { whenClosed } from './when-closed.ts';

/**
 * Seconds after which a refused client should try again, the same as in kube-apiserver (apiserver/pkg/server/filters/maxinflight.go, 1.37).
 */
const RETRY_SECONDS = 1;

/**
 * Refuses requests with 429 while too many requests are open, like `--max-requests-inflight` of kube-apiserver. It refuses them before
 * their bodies are read, because flow control counts a request only after its body has arrived. Health probes and metrics scrapes are
 * always answered.
 */
export function limitOpenRequests(fastify: FastifyInstance, { maxOpenRequests }: Pick<ApiConfig, 'maxOpenRequests'>): void {
  let open = 0;
  fastify.addHook('onRequest', (request, reply, done) => {
    if (isWatching(request.routeOptions.url ?? '')) return done();
    if (open >= maxOpenRequests) return done(full('requests are open'));
    open++;
    whenClosed(reply, () => open--);
    done();
  });
}

/**
 * Refuses requests of a flow that already uses nine tenths of the permitted open requests. Thus no client can exclude all others. Must be
 * registered after the hook that identifies clients.
 */
export function limitOpenRequestsOfFlows(fastify: FastifyInstance, { maxOpenRequests }: Pick<ApiConfig, 'maxOpenRequests'>): void {
  const open = new Map<string, number>();
  const share = Math.ceil(0.9 * maxOpenRequests);
  fastify.addHook('onRequest', (request, reply, done) => {
    if (isWatching(request.routeOptions.url ?? '')) return done();
    const { level, name } = clientOf(request).flow;
    const flow = `${level}/${name}`;
    const count = open.get(flow) ?? 0;
    if (count >= share) return done(full('requests of this client are open'));
    open.set(flow, count + 1);
    whenClosed(reply, () => {
      const left = (open.get(flow) ?? 1) - 1;
      if (left === 0) open.delete(flow);
      else open.set(flow, left);
    });
    done();
  });
}

const full = (what: string): StatusFailure =>
  new StatusFailure(tooManyRequestsStatus(`too many ${what}, please try again later`, RETRY_SECONDS));
