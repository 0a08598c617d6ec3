import underPressure from '@fastify/under-pressure';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { getHeapStatistics } from 'node:v8';
import { serviceUnavailableStatus } from '#kube';
import { isWatching } from '../health/watching.ts';
import type { ApiConfig } from '../config.ts';
import { StatusFailure } from '../status.filter.ts';

/**
 * Share of the heap limit above which new work is refused. Above this share, V8 spends more and more time on garbage collection, and soon
 * ends the process.
 */
const HEAP_SHARE = 0.85;
/**
 * Seconds after which a refused client should try again. By then, the load on the event loop or heap has usually ended, or another process
 * answers.
 */
const RETRY_SECONDS = 2;

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
      throw new StatusFailure(serviceUnavailableStatus('the service is overloaded, please try again later', RETRY_SECONDS));
    },
  });
}

type LoadLimits = Pick<ApiConfig, 'maxLoopDelayMs' | 'maxRssBytes'>;
