import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { threadHeapMb } from '#runner';
import { problemsOf } from '#evaluation';
import { DEFAULT_FLOW_LIMITS, DEFAULT_QUEUE_LIMITS } from '#queue';
import { readAccessKeys } from './access/access-keys.ts';
import { readTls } from './tls.ts';

/** Everything the API reads from its environment, checked once. */
export const apiEnvironment = z.object({
  HOST: z.string().default('127.0.0.1').describe('Address on which it listens'),
  PORT: z.coerce.number().int().min(0).max(65_535).default(8080).describe('Port on which it listens; 0: any'),
  ASSAY_THREADS: z.coerce.number().int().min(1).max(256).default(availableParallelism()).describe('Engine threads'),
  ASSAY_THREAD_HEAP_MB: threadHeapMb,
  ASSAY_REDIS_URL: z
    .string()
    .optional()
    .describe('Redis that carries chunks to worker processes; without it everything happens in this one'),
  ASSAY_JOURNAL: z.string().default('.assay/journal.sqlite').describe('File in which asynchronous evaluations survive a restart'),
  ASSAY_MAX_BODY_BYTES: z.coerce
    .number()
    .int()
    .min(1024)
    .default(64 * 1024 * 1024)
    .describe('Limit of a body that is read whole'),
  ASSAY_MAX_STREAM_BYTES: z.coerce
    .number()
    .int()
    .min(1024)
    .default(16 * 1024 ** 3)
    .describe('Limit of an NDJSON body'),
  ASSAY_DEADLINE_MS: z.coerce.number().int().min(1).default(60_000).describe('Deadline of a request that names none'),
  ASSAY_MAX_DEADLINE_MS: z.coerce.number().int().min(1).default(3_600_000).describe('The longest deadline that a request may name'),
  ASSAY_DRAIN_MS: z.coerce
    .number()
    .int()
    .min(0)
    .default(25_000)
    .describe('After SIGTERM, open requests may take so long to end; below the grace of whoever sends SIGKILL'),
  ASSAY_ALLOW_UNLIMITED: z.stringbool().default(false).describe('Permit "unlimited" cost limits, and limits above the server\'s'),
  ASSAY_MAX_DEFINITIONS: z.coerce.number().int().min(1).default(500).describe('Definitions a request'),
  ASSAY_MAX_ITEMS: z.coerce.number().int().min(1).optional().describe('Objects a request; without it only bytes bound them'),
  ASSAY_MAX_EVALUATION_COST: z.coerce
    .number()
    .int()
    .min(1)
    .optional()
    .describe('CEL cost units an evaluation; without it only objects are bounded'),
  ASSAY_QUEUE_EVALUATIONS: z.coerce
    .number()
    .int()
    .min(1)
    .default(DEFAULT_QUEUE_LIMITS.evaluations)
    .describe('Evaluations that are not over, of all flows; and other requests that wait for, or have, threads of an API process'),
  ASSAY_QUEUE_BYTES: z.coerce
    .number()
    .int()
    .min(1024)
    .optional()
    .describe('Bytes of waiting chunks, of all flows; default 256 MiB, or four of the largest bodies'),
  ASSAY_FLOW_EVALUATIONS: z.coerce
    .number()
    .int()
    .min(1)
    .default(DEFAULT_FLOW_LIMITS.evaluations)
    .describe('Evaluations of one flow that are not over; and its other requests that wait for, or have, threads of an API process'),
  ASSAY_FLOW_CHUNKS: z.coerce
    .number()
    .int()
    .min(1)
    .default(DEFAULT_FLOW_LIMITS.chunks)
    .describe('Waiting chunks of one flow beyond which no evaluation is accepted'),
  ASSAY_FLOW_BYTES: z.coerce
    .number()
    .int()
    .min(1024)
    .optional()
    .describe('Bytes of waiting chunks of one flow; default 128 MiB, or two of the largest bodies'),
  ASSAY_KEYS_FILE: z.string().optional().describe('YAML or JSON list of access keys; without it everything is open'),
  ASSAY_METRICS_OPEN: z.stringbool().default(false).describe('Where keys are asked for: answer /metrics without one'),
  ASSAY_TLS_CERT_FILE: z.string().optional().describe('PEM certificate chain; with its key the service speaks HTTPS only'),
  ASSAY_TLS_KEY_FILE: z.string().optional().describe('PEM private key of that certificate'),
  ASSAY_TLS_CLIENT_CA_FILE: z.string().optional().describe('Clients must show a certificate of this authority'),
});

/** The API's configuration. */
export type ApiConfig = ReturnType<typeof readApiConfig>;

/** Reads the environment and the files it names; throws with the offending variable's name. */
export function readApiConfig(variables: NodeJS.ProcessEnv = process.env) {
  const result = apiEnvironment.safeParse(variables);
  if (!result.success) throw new Error(problemsOf(result.error, 'environment').join('\n'));
  const env = result.data;
  return {
    host: env.HOST,
    port: env.PORT,
    threads: env.ASSAY_THREADS,
    threadHeapMb: env.ASSAY_THREAD_HEAP_MB,
    // Compose files pass what is not set as empty text.
    redisUrl: env.ASSAY_REDIS_URL === '' ? undefined : env.ASSAY_REDIS_URL,
    journalFile: env.ASSAY_JOURNAL,
    maxBodyBytes: env.ASSAY_MAX_BODY_BYTES,
    maxStreamBytes: env.ASSAY_MAX_STREAM_BYTES,
    deadlineMs: env.ASSAY_DEADLINE_MS,
    maxDeadlineMs: env.ASSAY_MAX_DEADLINE_MS,
    drainMs: env.ASSAY_DRAIN_MS,
    allowUnlimited: env.ASSAY_ALLOW_UNLIMITED,
    maxDefinitions: env.ASSAY_MAX_DEFINITIONS,
    maxItems: env.ASSAY_MAX_ITEMS,
    maxEvaluationCost: env.ASSAY_MAX_EVALUATION_COST,
    queueLimits: {
      ...DEFAULT_QUEUE_LIMITS,
      evaluations: env.ASSAY_QUEUE_EVALUATIONS,
      waitingBytes: env.ASSAY_QUEUE_BYTES ?? Math.max(DEFAULT_QUEUE_LIMITS.waitingBytes, 4 * env.ASSAY_MAX_BODY_BYTES),
    },
    flowLimits: {
      evaluations: env.ASSAY_FLOW_EVALUATIONS,
      chunks: env.ASSAY_FLOW_CHUNKS,
      bytes: env.ASSAY_FLOW_BYTES ?? Math.max(DEFAULT_FLOW_LIMITS.bytes, 2 * env.ASSAY_MAX_BODY_BYTES),
    },
    keys: env.ASSAY_KEYS_FILE === undefined ? undefined : readAccessKeys(env.ASSAY_KEYS_FILE),
    metricsOpen: env.ASSAY_METRICS_OPEN,
    tls: readTls({ cert: env.ASSAY_TLS_CERT_FILE, key: env.ASSAY_TLS_KEY_FILE, clientCa: env.ASSAY_TLS_CLIENT_CA_FILE }),
  } as const;
}

/** Injection token of {@link ApiConfig}. */
export const API_CONFIG = Symbol('ApiConfig');
