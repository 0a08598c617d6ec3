import { accessSync, constants, closeSync, openSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, join, parse, resolve } from 'node:path';
import { z } from 'zod';
import { SERVER_TIMES } from '#http-server';
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

/** Schema of all environment variables that the API reads. They are checked once, at start. */
export const apiEnvironment = z.object({
  HOST: z.string().default('127.0.0.1').describe('Address on which the service listens'),
  PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65_535)
    .optional()
    .describe('Port on which the service listens. 0 means any free port. The default is 8080, and 8081 for a worker'),
  ASSAY_API_PROCESSES: z.coerce
    .number()
    .int()
    .min(1)
    .max(64)
    .default(1)
    .describe(
      'Number of API processes that share the port. Each process has its own threads and limits. More than one process needs ASSAY_REDIS_URL',
    ),
  ASSAY_THREADS: z.coerce
    .number()
    .int()
    .min(1)
    .max(256)
    .default(availableParallelism())
    .describe('Number of engine threads of each process. These threads judge the objects'),
  ASSAY_THREAD_HEAP_MB: threadHeapMb,
  ASSAY_HEAP_GROWTH_PERCENT: heapGrowthPercent,
  ASSAY_REDIS_URL: z
    .string()
    .optional()
    .describe(
      `Redis that holds asynchronous evaluations and kept definitions for all processes; without it, the process has a journal. ${REDIS_URL_FORMS}`,
    ),
  ASSAY_ROLE: z
    .enum(['node', 'api', 'worker'])
    .default('node')
    .describe(
      '`node`: the process answers requests, and judges asynchronous evaluations that wait in Redis. `api`: the process only answers requests. `worker`: the process only judges evaluations that wait in Redis, and answers requests for health and metrics',
    ),
  ...redisSettings,
  ...contentKeySettings,
  ASSAY_JOURNAL: z.string().default('.assay/journal.sqlite').describe('File in which asynchronous evaluations survive a restart'),
  ASSAY_MAX_BODY_BYTES: z.coerce
    .number()
    .int()
    .min(1024)
    .default(64 * 1024 * 1024)
    .describe('Limit for the bytes of a body that is read whole'),
  ASSAY_MAX_STREAM_BYTES: z.coerce
    .number()
    .int()
    .min(1024)
    .default(16 * 1024 ** 3)
    .describe('Limit for the bytes of an NDJSON body'),
  ASSAY_DEADLINE_MS: z.coerce.number().int().min(1).default(60_000).describe('Time limit in ms of a request without the option `deadline`'),
  ASSAY_MAX_DEADLINE_MS: z.coerce
    .number()
    .int()
    .min(1)
    .default(3_600_000)
    .describe('Longest time in ms that the option `deadline` of a request may have'),
  ASSAY_DRAIN_MS: z.coerce
    .number()
    .int()
    .min(0)
    .default(25_000)
    .describe('Time in ms that open requests have to end after SIGTERM. Choose less than the time after which Kubernetes sends SIGKILL'),
  ASSAY_BODY_TIMEOUT_MS: z.coerce
    .number()
    .int()
    .min(1)
    .default(60_000)
    .describe('Time in ms in which a body that is read whole must arrive'),
  ASSAY_IDLE_BODY_MS: z.coerce
    .number()
    .int()
    .min(1)
    .default(30_000)
    .describe('Longest time in ms for which a client may send nothing within an NDJSON body'),
  ASSAY_IDLE_ANSWER_MS: z.coerce
    .number()
    .int()
    .min(1)
    .default(SERVER_TIMES.unreadMs)
    .describe('Longest time in ms for which a client may read nothing while an answer waits'),
  ASSAY_MAX_CONNECTIONS: z.coerce
    .number()
    .int()
    .min(1)
    .default(10_000)
    .describe('Largest number of open connections. The service closes further connections at once'),
  ASSAY_MAX_OPEN_REQUESTS: z.coerce
    .number()
    .int()
    .min(1)
    .default(1000)
    .describe('Largest number of open requests, including requests whose bodies still arrive. Further requests get a 429'),
  ASSAY_MAX_LOOP_DELAY_MS: z.coerce
    .number()
    .int()
    .min(0)
    .default(2000)
    .describe('Delay of the event loop in ms beyond which requests get a 503 with Retry-After. 0: no such limit'),
  ASSAY_MAX_RSS_BYTES: z.coerce
    .number()
    .int()
    .min(2 ** 27)
    .optional()
    .describe('Memory of the API process in bytes beyond which requests get a 503 with Retry-After'),
  ASSAY_ALLOWED_HOSTS: z
    .string()
    .default('')
    .describe(
      'Names that the Host header of a request may have in addition to the names of loopback, separated by commas. The check applies to a service on loopback without keys',
    ),
  ASSAY_ALLOW_UNLIMITED: z
    .stringbool()
    .default(false)
    .describe('If true, requests may set cost limits above those of a server, or "unlimited"'),
  ASSAY_MAX_DEFINITIONS: z.coerce.number().int().min(1).default(500).describe('Limit for the number of definitions in a request'),
  ASSAY_MAX_ITEMS: z.coerce
    .number()
    .int()
    .min(1)
    .optional()
    .describe(
      'Limit for the number of objects in a request. The default is 100,000 for a body that is read whole, and no limit for an NDJSON body',
    ),
  ASSAY_MAX_ANSWER_BYTES: z.coerce
    .number()
    .int()
    .min(1024)
    .default(64 * 1024 * 1024)
    .describe('Limit for the bytes of an answer that is one JSON document. NDJSON answers have no limit'),
  ASSAY_MAX_EVALUATION_COST: z.coerce
    .number()
    .int()
    .min(1)
    .optional()
    .describe('Limit for the CEL cost units of a whole evaluation. Without it, only the cost of each object is limited'),
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
    .describe(
      'Unfinished evaluations of all flows. Separately, the same number of other requests that use threads of an API process or wait for them',
    ),
  ASSAY_QUEUE_BYTES: z.coerce
    .number()
    .int()
    .min(1024)
    .optional()
    .describe(
      'Limit for the bytes of the waiting chunks of all flows. The default is 256 MiB, or four times ASSAY_MAX_BODY_BYTES if that is more',
    ),
  ASSAY_QUEUE_RESULT_BYTES: z.coerce
    .number()
    .int()
    .min(1024)
    .default(DEFAULT_QUEUE_LIMITS.resultBytes)
    .describe(
      'Limit for the bytes of kept results of the asynchronous evaluations of all flows. Choose less than the memory of Redis, or less than the disk of the journal',
    ),
  ASSAY_QUEUE_DEFINITION_BYTES: z.coerce
    .number()
    .int()
    .min(1024)
    .default(DEFAULT_QUEUE_LIMITS.definitionBytes)
    .describe('Limit for the bytes of definitions that an API process stores for the evaluations of all flows'),
  ASSAY_FLOW_EVALUATIONS: z.coerce
    .number()
    .int()
    .min(1)
    .default(DEFAULT_FLOW_LIMITS.evaluations)
    .describe(
      'Unfinished evaluations of one flow. Separately, the same number of its other requests that use threads of an API process or wait for them',
    ),
  ASSAY_FLOW_CHUNKS: z.coerce
    .number()
    .int()
    .min(1)
    .default(DEFAULT_FLOW_LIMITS.chunks)
    .describe('Largest number of waiting chunks of one flow. If there are more, further evaluations of the flow get a 429'),
  ASSAY_FLOW_BYTES: z.coerce
    .number()
    .int()
    .min(1024)
    .optional()
    .describe(
      'Limit for the bytes of the waiting chunks of one flow. The default is 128 MiB, or twice ASSAY_MAX_BODY_BYTES if that is more',
    ),
  ASSAY_FLOW_RESULT_BYTES: z.coerce
    .number()
    .int()
    .min(1024)
    .default(DEFAULT_FLOW_LIMITS.resultBytes)
    .describe('Limit for the bytes of kept results of one flow. The service ends an evaluation whose results exceed the limit'),
  ASSAY_FLOW_DEFINITION_BYTES: z.coerce
    .number()
    .int()
    .min(1024)
    .default(DEFAULT_FLOW_LIMITS.definitionBytes)
    .describe('Limit for the bytes of definitions that an API process stores for the evaluations of one flow'),
  ASSAY_DEFINITION_RETENTION_MS: z.coerce
    .number()
    .int()
    .min(1000)
    .default(3_600_000)
    .describe(
      'Time in ms for which the service keeps a definition of PUT /definitions/{digest}, at least, after the last request that sent or named the definition',
    ),
  ASSAY_BODY_BYTES: z.coerce
    .number()
    .int()
    .min(1024)
    .optional()
    .describe(
      'Limit for the bytes of bodies that are read whole, in all open requests together. The default is 1 GiB, or four times ASSAY_MAX_BODY_BYTES if that is more',
    ),
  ASSAY_FLOW_BODY_BYTES: z.coerce
    .number()
    .int()
    .min(1024)
    .optional()
    .describe(
      'Limit for the bytes of bodies that are read whole, in all open requests of one flow together. The default is 256 MiB, or twice ASSAY_MAX_BODY_BYTES if that is more',
    ),
  ASSAY_KEYS_FILE: z
    .string()
    .optional()
    .describe('File with a YAML or JSON list of access keys. Without this file, the service accepts every client'),
  ASSAY_ADMISSION_FILE: z
    .string()
    .optional()
    .describe(
      'File with YAML or JSON documents: the definitions and policies by which POST /admission/objects judges. The service reads the file again when it changes',
    ),
  ASSAY_JWT_ISSUER: z
    .url()
    .optional()
    .describe('Address of an issuer of JSON Web Tokens that clients may use. The issuer must offer an OpenID Connect discovery document'),
  ASSAY_JWT_AUDIENCE: z.string().min(1).optional().describe('Audience that the tokens must name; required with ASSAY_JWT_ISSUER'),
  ASSAY_JWT_KEYS_URL: z
    .url()
    .optional()
    .describe('Address of the key set (JWKS) of the issuer. The default is the address in the discovery document of the issuer'),
  ASSAY_AUDIT_LEVEL: z
    .enum(AUDIT_LEVELS)
    .default('none')
    .describe(
      'Lines of the audit log, for requests and the ends of asynchronous evaluations: `none`; `metadata` (the client, the request, the result); `request` (also the body)',
    ),
  ASSAY_AUDIT_FILE: z
    .string()
    .min(1)
    .default('-')
    .describe('File of the audit log; `-` is the standard output. Each of several API processes writes its own file: audit-1.log, …'),
  ASSAY_AUDIT_MAX_BYTES: z.coerce
    .number()
    .int()
    .min(1024)
    .default(100 * 1024 * 1024)
    .describe('Size of the audit log in bytes at which a new file begins'),
  ASSAY_AUDIT_FILES: z.coerce.number().int().min(1).default(10).describe('Number of older files of the audit log that are kept'),
  ASSAY_RELOAD_MS: z.coerce
    .number()
    .int()
    .min(10)
    .default(5000)
    .describe('Interval in ms at which the service checks the files of keys and certificates for changes'),
  ASSAY_PAGE_FOLDER: z
    .string()
    .optional()
    .describe(
      'Folder with the browser page that the service offers at /, written by `npm run site`. By default, this is the page of the build. An empty value means no page',
    ),
  ASSAY_TRACE_PAGE: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'Web address of a trace, with {traceId} in place of its id, such as http://127.0.0.1:16686/trace/{traceId}. The browser page links to this address',
    ),
  ASSAY_METRICS_OPEN: z.stringbool().default(false).describe('If true, clients may read /metrics without an access key'),
  ASSAY_TLS_CERT_FILE: z
    .string()
    .optional()
    .describe('File with the PEM certificate chain of the service. With this file and its key, the service accepts HTTPS only'),
  ASSAY_TLS_KEY_FILE: z.string().optional().describe('File with the PEM private key of ASSAY_TLS_CERT_FILE'),
  ASSAY_TLS_CLIENT_CA_FILE: z
    .string()
    .optional()
    .describe('File with the PEM certificate of an authority. Clients must then show a certificate of this authority'),
  ASSAY_TLS_CLIENT_NAMES: z
    .stringbool()
    .default(false)
    .describe(
      'If true, the common name of a client certificate is the name of the client, and its organizations `assay:<role>` are the roles of the client',
    ),
});

/**
 * Default limit for the request bodies that one API process holds in memory for all clients together, in bytes. `DEFAULT_FLOW_BODY_BYTES`
 * is the default limit for one flow.
 */
const DEFAULT_BODY_BYTES = 1024 * 1024 * 1024;
const DEFAULT_FLOW_BODY_BYTES = 256 * 1024 * 1024;

/**
 * Time in ms between the SIGTERM signal and the close of a worker, in which open requests may finish. The time is short because a worker
 * has no requests to wait for.
 */
const WORKER_DRAIN_MS = 500;

/** Configuration of the API. */
export type ApiConfig = ReturnType<typeof readApiConfig>;

/** Reads the configuration from the environment and the files that it names. Throws an error that names the offending variable. */
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
    serverTimes: { ...SERVER_TIMES, unreadMs: env.ASSAY_IDLE_ANSWER_MS },
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

/** Returns the address of Redis; undefined if no Redis is configured. Throws if the role is `worker` and no Redis is configured. */
function redisOf({ ASSAY_REDIS_URL: url, ASSAY_ROLE: role, ...env }: ApiEnvironment): RedisAddress | undefined {
  // Compose files pass what is not set as empty text.
  if (url !== undefined && url !== '') return redisAddressOf(url, env);
  if (role === 'worker') throw new Error('ASSAY_REDIS_URL: a worker takes chunks from Redis: set it, such as redis://127.0.0.1:6379');
  return undefined;
}

/**
 * Returns the number of serving processes. Throws if the configuration permits only one process, or if several processes would write audit
 * lines into the same output.
 */
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

/** Returns the path of a file that can be read; undefined if `file` is undefined. Throws if the file cannot be read. */
function readableFile(setting: string, file: string | undefined): string | undefined {
  try {
    if (file !== undefined) accessSync(file, constants.R_OK);
    return file;
  } catch (error) {
    throw new Error(`${setting}: ${file} cannot be read`, { cause: error });
  }
}

/** Returns the settings of the audit log. Throws if the audit file cannot be written. */
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

/** Returns the path of the audit file for one of several processes, such as `audit-2.log`. Each process rotates its own file. */
function numbered(file: string, number: number): string {
  const { dir, name, ext } = parse(file);
  return join(dir, `${name}-${number}${ext}`);
}

type ApiEnvironment = z.infer<typeof apiEnvironment>;

/**
 * Returns the folder of the web page; undefined if the setting is empty. The default folder is in `dist`, whether the service runs from
 * sources or from built files.
 */
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
