import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { threadHeapMb } from '#runner';
import { problemsOf } from '#evaluation';
import { contentKeySettings, readContentKeys } from '#queue';
import { REDIS_URL_FORMS, redisAddressOf, redisSettings } from '#queue/redis';

const NO_REDIS = 'a worker takes chunks from Redis: set it, such as redis://127.0.0.1:6379';

/** Everything a worker reads from its environment, checked once. */
export const workerEnvironment = z.object({
  HOST: z.string().default('127.0.0.1').describe('Address on which health and metrics are answered'),
  PORT: z.coerce.number().int().min(0).max(65_535).default(8081).describe('Port of health and metrics; 0: any'),
  ASSAY_REDIS_URL: z
    .string({ error: NO_REDIS })
    .min(1, { error: NO_REDIS })
    .describe(`Redis from which chunks are taken. ${REDIS_URL_FORMS}`),
  ...redisSettings,
  ...contentKeySettings,
  ASSAY_THREADS: z.coerce
    .number()
    .int()
    .min(1)
    .max(256)
    .default(availableParallelism())
    .describe('Engine threads: the seats of this process'),
  ASSAY_THREAD_HEAP_MB: threadHeapMb,
});

/** Reads the environment; throws with the offending variable's name. */
export function readWorkerConfig(variables: NodeJS.ProcessEnv = process.env) {
  const result = workerEnvironment.safeParse(variables);
  if (!result.success) throw new Error(problemsOf(result.error, 'environment').join('\n'));
  const env = result.data;
  return {
    host: env.HOST,
    port: env.PORT,
    contentKeys: readContentKeys(env.ASSAY_ENCRYPTION_KEYS_FILE),
    redis: redisAddressOf(env.ASSAY_REDIS_URL, env),
    threads: env.ASSAY_THREADS,
    threadHeapMb: env.ASSAY_THREAD_HEAP_MB,
  } as const;
}
