import { accessSync, constants, closeSync, openSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, join, parse, resolve } from 'node:path';
import { z } from 'zod';
import { threadHeapMb } from '#runner';
import { problemsOf } from '#evaluation';
import { contentKeySettings, DEFAULT_FLOW_LIMITS, DEFAULT_QUEUE_LIMITS, readContentKeys } from '#queue';
import { REDIS_URL_FORMS, redisAddressOf, redisSettings } from '#queue/redis';
import type { RedisAddress } from '#queue/redis';
import { readAccessKeys } from './access/access-keys.ts';
import { AUDIT_LEVELS } from './audit/audit-event.ts';
import type { AuditSettings } from './audit/audit-log.ts';
import type { TokenIssuer } from './access/json-web-tokens.ts';
import { heapGrowthPercent } from './heap-growth.ts';
import { processNumber } from './processes/serving-process.ts';
import { readTls } from './tls.ts';
import type { TlsFiles } from './tls.ts';

/** Everything the API reads from its environment, checked once. */
export const apiEnvironment = z.object({
  HOST: z.string().default('127.0.0.1').describe('Address on which it listens'),
  PORT: z.coerce.number().int().min(0).max(65_535).optional().describe('Port on which it listens; 0: any; default 8080, of a worker 8081'),
  ASSAY_API_PROCESSES: z.coerce
    .number()
    .int()
    .min(1)
    .max(64)
    .default(1)
    .describe(
      'API processes on the port, each with its own threads and limits; more than one needs ASSAY_REDIS_URL, since without Redis one process owns the queue and its journal',
    ),
  ASSAY_THREADS: z.coerce.number().int().min(1).max(256).default(availableParallelism()).describe('Engine threads'),
  ASSAY_THREAD_HEAP_MB: threadHeapMb,
  ASSAY_HEAP_GROWTH_PERCENT: heapGrowthPercent,
  ASSAY_REDIS_URL: z
    .string()
    .optional()
    .describe(
      `Redis that carries asynchronous evaluations, and definitions that are kept, for all processes; without it this one has a journal. ${REDIS_URL_FORMS}`,
    ),
  ASSAY_ROLE: z
    .enum(['node', 'api', 'worker'])
    .default('node')
    .describe(
      'A node answers requests, and judges evaluations that wait in Redis. An api leaves these evaluations to others. A worker judges them, and answers health and metrics only',
    ),
  ...redisSettings,
  ...contentKeySettings,
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
  ASSAY_BODY_TIMEOUT_MS: z.coerce.number().int().min(1).default(60_000).describe('A body that is read whole must have come by then'),
  ASSAY_IDLE_BODY_MS: z.coerce
    .number()
    .int()
    .min(1)
    .default(30_000)
    .describe('The client of an NDJSON body may send nothing for so long while more is wanted'),
  ASSAY_MAX_CONNECTIONS: z.coerce.number().int().min(1).default(10_000).describe('Connections at a time; further ones are closed at once'),
  ASSAY_MAX_OPEN_REQUESTS: z.coerce
    .number()
    .int()
    .min(1)
    .default(1000)
    .describe('Requests that may be open at a time, those included whose bodies still come; further ones are answered with 429'),
  ASSAY_MAX_LOOP_DELAY_MS: z.coerce
    .number()
    .int()
    .min(0)
    .default(2000)
    .describe('While the event loop is later than this, requests are answered with 503 and Retry-After; 0: never'),
  ASSAY_MAX_RSS_BYTES: z.coerce
    .number()
    .int()
    .min(2 ** 27)
    .optional()
    .describe('While the API process holds more memory, requests are answered with 503 and Retry-After'),
  ASSAY_ALLOWED_HOSTS: z
    .string()
    .default('')
    .describe('Where no key is asked for, on loopback: comma-separated names that a Host header may have beside those of loopback'),
  ASSAY_ALLOW_UNLIMITED: z.stringbool().default(false).describe('Permit "unlimited" cost limits, and limits above the server\'s'),
  ASSAY_MAX_DEFINITIONS: z.coerce.number().int().min(1).default(500).describe('Definitions a request'),
  ASSAY_MAX_ITEMS: z.coerce
    .number()
    .int()
    .min(1)
    .optional()
    .describe('Objects a request; default 100,000 in a body that is read whole, while only bytes bound those of an NDJSON body'),
  ASSAY_MAX_ANSWER_BYTES: z.coerce
    .number()
    .int()
    .min(1024)
    .default(64 * 1024 * 1024)
    .describe('Limit of an answer that is one JSON document, which a client has to read whole; NDJSON answers have none'),
  ASSAY_MAX_EVALUATION_COST: z.coerce
    .number()
    .int()
    .min(1)
    .optional()
    .describe('CEL cost units an evaluation; without it only objects are bounded'),
  ASSAY_BENCHMARK_MINUTES: z.coerce
    .number()
    .min(0)
    .default(60)
    .describe('Minutes of thread time that the studies of one client (POST /benchmarks) may have each day, by UTC'),
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
  ASSAY_QUEUE_RESULT_BYTES: z.coerce
    .number()
    .int()
    .min(1024)
    .default(DEFAULT_QUEUE_LIMITS.resultBytes)
    .describe(
      'Bytes of results of asynchronous evaluations that are kept, of all flows; below what Redis, or the disk of the journal, has',
    ),
  ASSAY_QUEUE_DEFINITION_BYTES: z.coerce
    .number()
    .int()
    .min(1024)
    .default(DEFAULT_QUEUE_LIMITS.definitionBytes)
    .describe('Bytes of definitions that an API process stores for evaluations, of all flows'),
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
  ASSAY_FLOW_RESULT_BYTES: z.coerce
    .number()
    .int()
    .min(1024)
    .default(DEFAULT_FLOW_LIMITS.resultBytes)
    .describe('Bytes of results of one flow that are kept; an evaluation that brings more is ended'),
  ASSAY_FLOW_DEFINITION_BYTES: z.coerce
    .number()
    .int()
    .min(1024)
    .default(DEFAULT_FLOW_LIMITS.definitionBytes)
    .describe('Bytes of definitions that an API process stores for evaluations of one flow'),
  ASSAY_DEFINITION_RETENTION_MS: z.coerce
    .number()
    .int()
    .min(1000)
    .default(3_600_000)
    .describe('A definition of PUT /definitions/{digest} is kept for so long, at least, after it was sent or named last'),
  ASSAY_BODY_BYTES: z.coerce
    .number()
    .int()
    .min(1024)
    .optional()
    .describe('Bytes of bodies that are read whole and whose requests are not over, of all clients; default 1 GiB, or four of the largest'),
  ASSAY_FLOW_BODY_BYTES: z.coerce
    .number()
    .int()
    .min(1024)
    .optional()
    .describe('The same of one flow; default 256 MiB, or two of the largest'),
  ASSAY_KEYS_FILE: z.string().optional().describe('YAML or JSON list of access keys; without it everything is open'),
  ASSAY_ADMISSION_FILE: z
    .string()
    .optional()
    .describe('Definitions and policies (YAML or JSON documents) by which POST /admission/objects judges; read again when they change'),
  ASSAY_JWT_ISSUER: z
    .url()
    .optional()
    .describe('Clients may show tokens (JWT) of this issuer, as its OpenID Connect discovery describes them'),
  ASSAY_JWT_AUDIENCE: z.string().min(1).optional().describe('For whom tokens must be issued; goes with ASSAY_JWT_ISSUER'),
  ASSAY_JWT_KEYS_URL: z.url().optional().describe("The issuer's key set (JWKS); default: where its discovery document says"),
  ASSAY_AUDIT_LEVEL: z
    .enum(AUDIT_LEVELS)
    .default('none')
    .describe(
      'Lines of the audit log, for requests and the ends of asynchronous evaluations: none; metadata (who, what, what came of it); request (the body, too)',
    ),
  ASSAY_AUDIT_FILE: z
    .string()
    .min(1)
    .default('-')
    .describe('File of the audit log; -: standard output. Of several API processes each writes its own: audit-1.log, …'),
  ASSAY_AUDIT_MAX_BYTES: z.coerce
    .number()
    .int()
    .min(1024)
    .default(100 * 1024 * 1024)
    .describe('Bytes after which that file is put aside'),
  ASSAY_AUDIT_FILES: z.coerce.number().int().min(1).default(10).describe('Files of it that are kept beside the present one'),
  ASSAY_RELOAD_MS: z.coerce
    .number()
    .int()
    .min(10)
    .default(5000)
    .describe('How often the files of keys and certificates are looked at for changes'),
  ASSAY_PAGE_FOLDER: z
    .string()
    .optional()
    .describe('Folder of the page that is served at /, as `npm run site` writes it; default: the one that was built; empty: no page'),
  ASSAY_TRACE_PAGE: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'Where people look at a trace, with {traceId} in the place of its id: the page links to it, such as http://127.0.0.1:16686/trace/{traceId}',
    ),
  ASSAY_METRICS_OPEN: z.stringbool().default(false).describe('Where keys are asked for: answer /metrics without one'),
  ASSAY_TLS_CERT_FILE: z.string().optional().describe('PEM certificate chain; with its key the service speaks HTTPS only'),
  ASSAY_TLS_KEY_FILE: z.string().optional().describe('PEM private key of that certificate'),
  ASSAY_TLS_CLIENT_CA_FILE: z.string().optional().describe('Clients must show a certificate of this authority'),
  ASSAY_TLS_CLIENT_NAMES: z
    .stringbool()
    .default(false)
    .describe('The common name of that certificate says who the client is, its organizations `assay:<role>` what it may do'),
});

/** Bytes of bodies of all clients, and of one flow, that an API process holds, where the configuration does not say otherwise. */
const DEFAULT_BODY_BYTES = 1024 * 1024 * 1024;
const DEFAULT_FLOW_BODY_BYTES = 256 * 1024 * 1024;

/** A worker has no requests to wait for: it ends so long, ms, and the time for closing after SIGTERM. */
const WORKER_DRAIN_MS = 500;

/** The API's configuration. */
export type ApiConfig = ReturnType<typeof readApiConfig>;

/** Reads the environment and the files it names; throws with the offending variable's name. */
export function readApiConfig(variables: NodeJS.ProcessEnv = process.env) {
  const result = apiEnvironment.safeParse(variables);
  if (!result.success) throw new Error(problemsOf(result.error, 'environment').join('\n'));
  const env = result.data;
  const redis = redisOf(env);
  const isWorker = env.ASSAY_ROLE === 'worker';
  return {
    host: env.HOST,
    port: env.PORT ?? (isWorker ? 8081 : 8080),
    processes: processesOf(env),
    threads: env.ASSAY_THREADS,
    threadHeapMb: env.ASSAY_THREAD_HEAP_MB,
    heapGrowthPercent: env.ASSAY_HEAP_GROWTH_PERCENT,
    role: env.ASSAY_ROLE,
    redis,
    journalFile: env.ASSAY_JOURNAL,
    contentKeys: readContentKeys(env.ASSAY_ENCRYPTION_KEYS_FILE),
    maxBodyBytes: env.ASSAY_MAX_BODY_BYTES,
    maxStreamBytes: env.ASSAY_MAX_STREAM_BYTES,
    definitionRetentionMs: env.ASSAY_DEFINITION_RETENTION_MS,
    deadlineMs: env.ASSAY_DEADLINE_MS,
    maxDeadlineMs: env.ASSAY_MAX_DEADLINE_MS,
    bodyTimeoutMs: env.ASSAY_BODY_TIMEOUT_MS,
    idleBodyMs: env.ASSAY_IDLE_BODY_MS,
    maxConnections: env.ASSAY_MAX_CONNECTIONS,
    maxOpenRequests: env.ASSAY_MAX_OPEN_REQUESTS,
    maxLoopDelayMs: env.ASSAY_MAX_LOOP_DELAY_MS,
    maxRssBytes: env.ASSAY_MAX_RSS_BYTES,
    allowedHosts: env.ASSAY_ALLOWED_HOSTS.split(',').flatMap((name) => name.trim() || []),
    drainMs: isWorker ? WORKER_DRAIN_MS : env.ASSAY_DRAIN_MS,
    allowUnlimited: env.ASSAY_ALLOW_UNLIMITED,
    maxDefinitions: env.ASSAY_MAX_DEFINITIONS,
    maxItems: env.ASSAY_MAX_ITEMS,
    maxAnswerBytes: env.ASSAY_MAX_ANSWER_BYTES,
    maxEvaluationCost: env.ASSAY_MAX_EVALUATION_COST,
    benchmarkMs: env.ASSAY_BENCHMARK_MINUTES * 60_000,
    queueLimits: {
      ...DEFAULT_QUEUE_LIMITS,
      evaluations: env.ASSAY_QUEUE_EVALUATIONS,
      resultBytes: env.ASSAY_QUEUE_RESULT_BYTES,
      definitionBytes: env.ASSAY_QUEUE_DEFINITION_BYTES,
      waitingBytes: env.ASSAY_QUEUE_BYTES ?? Math.max(DEFAULT_QUEUE_LIMITS.waitingBytes, 4 * env.ASSAY_MAX_BODY_BYTES),
    },
    flowLimits: {
      evaluations: env.ASSAY_FLOW_EVALUATIONS,
      chunks: env.ASSAY_FLOW_CHUNKS,
      resultBytes: env.ASSAY_FLOW_RESULT_BYTES,
      definitionBytes: env.ASSAY_FLOW_DEFINITION_BYTES,
      bytes: env.ASSAY_FLOW_BYTES ?? Math.max(DEFAULT_FLOW_LIMITS.bytes, 2 * env.ASSAY_MAX_BODY_BYTES),
    },
    bodyBytes: env.ASSAY_BODY_BYTES ?? Math.max(DEFAULT_BODY_BYTES, 4 * env.ASSAY_MAX_BODY_BYTES),
    flowBodyBytes: env.ASSAY_FLOW_BODY_BYTES ?? Math.max(DEFAULT_FLOW_BODY_BYTES, 2 * env.ASSAY_MAX_BODY_BYTES),
    keysFile: env.ASSAY_KEYS_FILE,
    admissionFile: readableFile('ASSAY_ADMISSION_FILE', env.ASSAY_ADMISSION_FILE),
    issuer: issuerOf(env),
    certificateIdentities: certificateIdentities(env),
    keys: env.ASSAY_KEYS_FILE === undefined ? undefined : readAccessKeys(env.ASSAY_KEYS_FILE),
    audit: auditSettings(env),
    pageFolder: pageFolderOf(env),
    tracePage: env.ASSAY_TRACE_PAGE,
    reloadMs: env.ASSAY_RELOAD_MS,
    metricsOpen: env.ASSAY_METRICS_OPEN,
    tlsFiles: tlsFilesOf(env),
    tls: readTls(tlsFilesOf(env)),
  } as const;
}

/** Returns the address of Redis; throws if a worker has none. */
function redisOf({ ASSAY_REDIS_URL: url, ASSAY_ROLE: role, ...env }: ApiEnvironment): RedisAddress | undefined {
  // Compose files pass what is not set as empty text.
  if (url !== undefined && url !== '') return redisAddressOf(url, env);
  if (role === 'worker') throw new Error('ASSAY_REDIS_URL: a worker takes chunks from Redis: set it, such as redis://127.0.0.1:6379');
  return undefined;
}

/** Returns the number of serving processes. Throws if only one can serve, or if their audit lines could not be told apart. */
function processesOf({ ASSAY_API_PROCESSES: processes, ASSAY_REDIS_URL: redis, ...env }: ApiEnvironment): number {
  if (processes === 1) return 1;
  if (redis === undefined || redis === '')
    throw new Error(
      `ASSAY_API_PROCESSES: ${processes} processes need ASSAY_REDIS_URL: without it the queue and its journal are one process's`,
    );
  if (env.ASSAY_AUDIT_LEVEL === 'request' && env.ASSAY_AUDIT_FILE === '-')
    throw new Error(`ASSAY_API_PROCESSES: ${processes} processes cannot write whole requests to one output; ASSAY_AUDIT_FILE names a file`);
  return processes;
}

/** A file that is there; throws where it cannot be read. */
function readableFile(setting: string, file: string | undefined): string | undefined {
  try {
    if (file !== undefined) accessSync(file, constants.R_OK);
    return file;
  } catch (error) {
    throw new Error(`${setting}: ${file} cannot be read`, { cause: error });
  }
}

/** Returns the destination of the audit log. Throws if its file cannot be written. */
function auditSettings({ ASSAY_AUDIT_LEVEL: level, ASSAY_AUDIT_FILE: named, ...env }: ApiEnvironment): AuditSettings {
  // Who watches several processes writes nothing, and sees whether the first could.
  const number = processNumber() ?? (env.ASSAY_API_PROCESSES > 1 ? 1 : undefined);
  const file = number === undefined || named === '-' ? named : numbered(named, number);
  if (level !== 'none' && file !== '-') {
    try {
      closeSync(openSync(file, 'a', 0o600));
    } catch (error) {
      throw new Error(`ASSAY_AUDIT_FILE: ${file} cannot be written`, { cause: error });
    }
  }
  return { level, file, maxBytes: env.ASSAY_AUDIT_MAX_BYTES, maxFiles: env.ASSAY_AUDIT_FILES };
}

/** The audit file of one of several processes, each of which puts its own aside: `audit-2.log`. */
function numbered(file: string, number: number): string {
  const { dir, name, ext } = parse(file);
  return join(dir, `${name}-${number}${ext}`);
}

type ApiEnvironment = z.infer<typeof apiEnvironment>;

/** Returns the folder of the page. It is in `dist`, whether sources or built files run. */
function pageFolderOf({ ASSAY_PAGE_FOLDER: folder }: ApiEnvironment): string | undefined {
  if (folder !== undefined) return folder === '' ? undefined : resolve(folder);
  const above = join(import.meta.dirname, '../../..');
  return join(above, basename(above) === 'dist' ? 'page' : 'dist/page');
}

function tlsFilesOf(env: ApiEnvironment): TlsFiles {
  return { cert: env.ASSAY_TLS_CERT_FILE, key: env.ASSAY_TLS_KEY_FILE, clientCa: env.ASSAY_TLS_CLIENT_CA_FILE };
}

function issuerOf(env: ApiEnvironment): TokenIssuer | undefined {
  const { ASSAY_JWT_ISSUER: issuer, ASSAY_JWT_AUDIENCE: audience, ASSAY_JWT_KEYS_URL: keySetUrl } = env;
  if (issuer === undefined && audience === undefined && keySetUrl === undefined) return undefined;
  if (issuer === undefined || audience === undefined)
    throw new Error('ASSAY_JWT_ISSUER and ASSAY_JWT_AUDIENCE go together; one is missing');
  return { issuer, audience, keySetUrl };
}

function certificateIdentities({ ASSAY_TLS_CLIENT_NAMES: wanted, ASSAY_TLS_CLIENT_CA_FILE: authority }: ApiEnvironment): boolean {
  if (wanted && authority === undefined) throw new Error('ASSAY_TLS_CLIENT_NAMES needs ASSAY_TLS_CLIENT_CA_FILE');
  return wanted;
}

/** Injection token of {@link ApiConfig}. */
export const API_CONFIG = Symbol('ApiConfig');
