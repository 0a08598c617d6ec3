import { Global, Module } from '@nestjs/common';
import { EngineHost } from '#runner';
import { EmbeddedQueue, RedisQueue } from '#queue';
import type { QueueAdapter } from '#queue';
import { API_CONFIG, readConfig } from '../config.ts';
import type { ApiConfig } from '../config.ts';
import { ChunkConsumer } from './chunk-consumer.ts';
import { QUEUE } from './queue.token.ts';

/** What runs and carries work in this process: configuration, queue, engine host, consumer. */
@Global()
@Module({
  providers: [
    { provide: API_CONFIG, useFactory: () => readConfig() },
    { provide: QUEUE, useFactory: queueOf, inject: [API_CONFIG] },
    { provide: EngineHost, useFactory: (config: ApiConfig) => new EngineHost(config.threads), inject: [API_CONFIG] },
    ChunkConsumer,
  ],
  exports: [API_CONFIG, QUEUE, EngineHost],
})
export class EngineModule {}

/** Redis where one is named, else everything in this process. */
function queueOf({ redisUrl, journalFile }: ApiConfig): QueueAdapter {
  return redisUrl === undefined ? new EmbeddedQueue(journalFile) : new RedisQueue(redisUrl);
}
