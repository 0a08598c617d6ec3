import { Global, Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { EngineHost } from '#runner';
import { EmbeddedQueue, RedisQueue } from '#queue';
import type { QueueAdapter } from '#queue';
import { API_CONFIG } from '../config.ts';
import type { ApiConfig } from '../config.ts';
import { ChunkConsumer } from './chunk-consumer.ts';
import { EngineLine } from '../../../../libs/service/src/dispatch/dispatcher.ts';
import { QUEUE } from './queue.token.ts';
import { Refusals } from '../../../../libs/service/src/dispatch/refusals.ts';

/** What runs and carries work in this process: configuration, queue, engine host, the line before it, consumer. */
@Global()
@Module({
  providers: [
    { provide: QUEUE, useFactory: queueOf, inject: [API_CONFIG] },
    { provide: EngineHost, useFactory: (config: ApiConfig) => new EngineHost(config.threads, config.threadHeapMb), inject: [API_CONFIG] },
    Refusals,
    EngineLine,
    ChunkConsumer,
  ],
  exports: [API_CONFIG, QUEUE, EngineHost, EngineLine, Refusals],
})
export class EngineModule {
  /** The module with a configuration that was read and checked before anything started. */
  static with(config: ApiConfig): DynamicModule {
    return { module: EngineModule, providers: [{ provide: API_CONFIG, useValue: config }] };
  }
}

/** Redis where one is named, else everything in this process. */
function queueOf({ redisUrl, journalFile, queueLimits }: ApiConfig): QueueAdapter {
  return redisUrl === undefined ? new EmbeddedQueue(journalFile, queueLimits) : new RedisQueue(redisUrl, undefined, queueLimits);
}
