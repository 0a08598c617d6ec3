import underPressure from '@fastify/under-pressure';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { getHeapStatistics } from 'node:v8';
import { serviceUnavailableStatus } from '#kube';
import { isWatching } from '../health/watching.ts';
import type { ApiConfig } from '../config.ts';
import { StatusFailure } from '../status.filter.ts';

/** Share of the heap's limit beyond which no work is taken: V8 collects ever more and ends the process soon after. */
const HEAP_SHARE = 0.85;
/** When to come back, seconds: what fills the loop or the heap is over by then, or another process answers. */
const RETRY_SECONDS = 2;

/**
 * Refuses work with 503 and Retry-After, before it hurts, while the event loop is late or memory is short. Probes and scrapes are answered: whoever
 * watches must see why.
 */
export async function shedLoad(app: NestFastifyApplication, { maxLoopDelayMs, maxRssBytes }: LoadLimits): Promise<void> {
  await app.register(underPressure, {
    ...(maxLoopDelayMs > 0 && { maxEventLoopDelay: maxLoopDelayMs }),
    maxHeapUsedBytes: HEAP_SHARE * getHeapStatistics().heap_size_limit,
    ...(maxRssBytes !== undefined && { maxRssBytes }),
    pressureHandler: async (request) => {
      if (isWatching(request.routeOptions.url ?? '')) return;
      throw new StatusFailure(serviceUnavailableStatus('the service is overloaded, please try again later', RETRY_SECONDS));
    },
  });
}

type LoadLimits = Pick<ApiConfig, 'maxLoopDelayMs' | 'maxRssBytes'>;
