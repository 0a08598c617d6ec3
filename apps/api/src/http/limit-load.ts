import { getHeapStatistics } from 'node:v8';
import underPressure from '@fastify/under-pressure';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { tooManyRequestsStatus, serviceUnavailableStatus } from '#kube';
import { clientOf } from '../access/client.ts';
import type { ApiConfig } from '../config.ts';
import { isWatching } from '../health/watching.ts';
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

/**
 * Share of the heap limit above which new work is refused. Above this share, V8 spends more and more time on garbage collection, and soon
 * ends the process.
 */
const HEAP_SHARE = 0.85;
/**
 * Seconds after which a refused client should try again. By then, the load on the event loop or heap has usually ended, or another process
 * answers.
 */
const OVERLOAD_RETRY_SECONDS = 2;

/**
 * Refuses work with 503 and `Retry-After` while the event loop is delayed or memory is short. Health probes and metrics scrapes are still
 * answered, because operators must be able to see the reason.
 */
export async function shedLoad(app: NestFastifyApplication, { maxLoopDelayMs, maxRssBytes }: LoadLimits): Promise<void> {
  await app.register(underPressure, {
    ...(maxLoopDelayMs > 0 && { maxEventLoopDelay: maxLoopDelayMs }),
    maxHeapUsedBytes: HEAP_SHARE * getHeapStatistics().heap_size_limit,
    ...(maxRssBytes !== undefined && { maxRssBytes }),
    pressureHandler: async (request) => {
      if (isWatching(request.routeOptions.url ?? '')) return;
      throw new StatusFailure(serviceUnavailableStatus('the service is overloaded, please try again later', OVERLOAD_RETRY_SECONDS));
    },
  });
}

type LoadLimits = Pick<ApiConfig, 'maxLoopDelayMs' | 'maxRssBytes'>;
