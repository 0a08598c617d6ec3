import { availableParallelism } from 'node:os';
import { SERVER_TIMES } from '#http-server';
import { DEFAULT_QUEUE_LIMITS } from '#jobs';
import { RUN_LIMITS } from '#runner';
import { DEFAULT_FLOW_LIMITS } from '#runner/flow';
import { AUDIT_LEVELS } from '../audit/audit-log.ts';
import * as kind from './setting.ts';
import { changedSettings, PROCESS_ROLES } from './setting.ts';
import type { SettingTable } from './setting.ts';

const ROLE = kind.oneOf(PROCESS_ROLES, 'ASSAY_ROLE', 'node', {
  doc: '`node`: the process answers requests, and judges asynchronous evaluations that wait in Redis. `api`: the process only answers requests. `worker`: the process only judges evaluations that wait in Redis, and answers requests for health and metrics',
});
const MAX_BODY_BYTES = kind.bytes('ASSAY_MAX_BODY_BYTES', 64 * kind.MIB, { doc: 'Limit for the bytes of a body that is read whole' });

/**
 * All settings of the service, by their keys in the configuration. The service reads its configuration from this table, and the page
 * docs/reference/settings.md is generated from it.
 */
export const SETTINGS = {
  host: kind.text('HOST', '127.0.0.1', { doc: 'Address on which the service listens' }),
  port: kind.count(
    'PORT',
    { valueIn: (read) => (read(ROLE) === 'worker' ? 8081 : 8080), text: '`8080`; `8081` for a worker' },
    { min: 0, max: 65_535, doc: 'Port on which the service listens. 0 means any free port' },
  ),
  processes: kind.count('ASSAY_API_PROCESSES', 1, {
    max: 64,
    doc: 'Number of API processes that share the port. Each process has its own threads and limits. More than one process needs ASSAY_REDIS_URL',
  }),
  threads: kind.count(
    'ASSAY_THREADS',
    { valueIn: availableParallelism, text: 'the number of CPU cores' },
    { max: 256, doc: 'Number of engine threads of each process. These threads judge the objects' },
  ),
  threadHeapMb: kind.count('ASSAY_THREAD_HEAP_MB', RUN_LIMITS.threadHeapMb, {
    min: 16,
    max: 16_384,
    unit: 'MB',
    doc: 'Heap of an engine thread (the old generation of V8). An object that needs more gets no verdict; other objects are judged. Below 256 MB, some objects within the limits may not fit',
  }),
  redisUrl: kind.text('ASSAY_REDIS_URL', kind.none('no Redis: the process has a journal'), {
    secret: true,
    doc: 'Redis that holds asynchronous evaluations and kept definitions for all processes. A worker needs it. `redis://`, `rediss://` (TLS), `redis+sentinel://a:26379,b:26379/master` or `redis+cluster://a:6379,b:6379`',
  }),
  role: ROLE,
  redisFiles: {
    password: kind.path('ASSAY_REDIS_PASSWORD_FILE', kind.none('the password in the URL'), {
      secret: true,
      doc: 'File with the password of Redis, instead of a password in the URL',
    }),
    sentinelPassword: kind.path('ASSAY_REDIS_SENTINEL_PASSWORD_FILE', kind.none('no password'), {
      secret: true,
      doc: 'File with the password of the sentinels, if they need one',
    }),
    ca: kind.path('ASSAY_REDIS_CA_FILE', kind.none('the certificates that Node trusts'), {
      doc: 'File with the PEM certificates to trust for a rediss URL',
    }),
    cert: kind.path('ASSAY_REDIS_CERT_FILE', kind.none('no certificate'), {
      doc: 'File with the PEM certificate chain that the service sends to Redis, if Redis demands client certificates',
    }),
    key: kind.path('ASSAY_REDIS_KEY_FILE', kind.none('required with `ASSAY_REDIS_CERT_FILE`'), {
      secret: true,
      doc: 'File with the PEM private key of the certificate in ASSAY_REDIS_CERT_FILE',
    }),
  },
  contentKeysFile: kind.path('ASSAY_ENCRYPTION_KEYS_FILE', kind.none('no encryption'), {
    secret: true,
    doc: 'YAML or JSON list of keys (`id`, `key`: 32 bytes in base64) that encrypt stored definitions, objects and results. The first key encrypts, and all keys decrypt',
  }),
  ...answering({
    journalFile: kind.path('ASSAY_JOURNAL', '.assay/journal.sqlite', {
      doc: 'File in which asynchronous evaluations survive a restart of a process without Redis',
    }),
    heapGrowthPercent: kind.count('ASSAY_HEAP_GROWTH_PERCENT', 50, {
      min: 0,
      max: 1000,
      unit: 'per cent',
      doc: 'Growth of the heap after which an API process collects garbage while the process reads streams. A smaller value needs less memory and more CPU time. 0 means that V8 decides, which needs more memory',
    }),
    maxBodyBytes: MAX_BODY_BYTES,
    maxStreamBytes: kind.bytes('ASSAY_MAX_STREAM_BYTES', 16 * kind.GIB, { doc: 'Limit for the bytes of an NDJSON body' }),
    deadlineMs: kind.milliseconds('ASSAY_DEADLINE_MS', 60_000, { doc: 'Time limit of a request without the option `deadline`' }),
    maxDeadlineMs: kind.milliseconds('ASSAY_MAX_DEADLINE_MS', 3_600_000, {
      doc: 'Longest time that the option `deadline` of a request may have',
    }),
    drainMs: kind.milliseconds('ASSAY_DRAIN_MS', 25_000, {
      min: 0,
      doc: 'Time that open requests have to end after SIGTERM. Choose less than the time after which Kubernetes sends SIGKILL',
    }),
    bodyTimeoutMs: kind.milliseconds('ASSAY_BODY_TIMEOUT_MS', 60_000, { doc: 'Time in which a body that is read whole must arrive' }),
    idleBodyMs: kind.milliseconds('ASSAY_IDLE_BODY_MS', 30_000, {
      doc: 'Longest time for which a client may send nothing within an NDJSON body',
    }),
    allowUnlimited: kind.flag('ASSAY_ALLOW_UNLIMITED', false, {
      doc: 'If true, requests may set cost limits above those of a server, or "unlimited"',
    }),
    maxDefinitions: kind.count('ASSAY_MAX_DEFINITIONS', 500, { doc: 'Limit for the number of definitions in a request' }),
    maxItems: kind.count('ASSAY_MAX_ITEMS', kind.none('100,000 for a body that is read whole, and no limit for an NDJSON body'), {
      doc: 'Limit for the number of objects in a request',
    }),
    maxAnswerBytes: kind.bytes('ASSAY_MAX_ANSWER_BYTES', 64 * kind.MIB, {
      doc: 'Limit for the bytes of an answer that is one JSON document. NDJSON answers have no limit',
    }),
    maxEvaluationCost: kind.count('ASSAY_MAX_EVALUATION_COST', kind.none('no limit'), {
      doc: 'Limit for the CEL cost units of a whole evaluation. Without this limit, only the cost of each object is limited',
    }),
    benchmarkMs: kind.minutes('ASSAY_BENCHMARK_MINUTES', 60 * 60_000, {
      doc: 'Thread time that the studies of one client (POST /benchmarks) may use each day (in UTC)',
    }),
    flowLimits: {
      evaluations: kind.count('ASSAY_FLOW_EVALUATIONS', DEFAULT_FLOW_LIMITS.evaluations, {
        doc: 'Largest number of unfinished evaluations of one flow. The same limit applies separately to other requests of the flow that use threads of an API process or wait for threads',
      }),
      chunks: kind.count('ASSAY_FLOW_CHUNKS', DEFAULT_FLOW_LIMITS.chunks, {
        doc: 'Largest number of waiting chunks of one flow. If there are more, further evaluations of the flow get a 429',
      }),
      bytes: kind.bytes('ASSAY_FLOW_BYTES', kind.atLeast(DEFAULT_FLOW_LIMITS.bytes, 2, MAX_BODY_BYTES), {
        doc: 'Limit for the bytes of the waiting chunks of one flow',
      }),
      resultBytes: kind.bytes('ASSAY_FLOW_RESULT_BYTES', DEFAULT_FLOW_LIMITS.resultBytes, {
        doc: 'Limit for the bytes of kept results of one flow. The service ends an evaluation whose results exceed the limit',
      }),
      definitionBytes: kind.bytes('ASSAY_FLOW_DEFINITION_BYTES', DEFAULT_FLOW_LIMITS.definitionBytes, {
        doc: 'Limit for the bytes of definitions that an API process stores for the evaluations of one flow',
      }),
    },
    bodyBytes: kind.bytes('ASSAY_BODY_BYTES', kind.atLeast(kind.GIB, 4, MAX_BODY_BYTES), {
      doc: 'Limit for the bytes of bodies that are read whole, in all open requests together',
    }),
    flowBodyBytes: kind.bytes('ASSAY_FLOW_BODY_BYTES', kind.atLeast(256 * kind.MIB, 2, MAX_BODY_BYTES), {
      doc: 'Limit for the bytes of bodies that are read whole, in all open requests of one flow together',
    }),
    definitionRetentionMs: kind.milliseconds('ASSAY_DEFINITION_RETENTION_MS', 3_600_000, {
      min: 1000,
      doc: 'Shortest time for which the service keeps a definition of PUT /definitions/{digest} after the last request that sent or named the definition',
    }),
    admissionFile: kind.path('ASSAY_ADMISSION_FILE', kind.none('no definitions and policies'), {
      doc: 'File with the definitions and policies (YAML or JSON) by which POST /admission/objects judges. If the file changes, the service reads it again',
    }),
    pageFolder: kind.path('ASSAY_PAGE_FOLDER', kind.none('the page of the build'), {
      doc: 'Folder with the browser page that the service offers at /, written by `npm run site`. An empty value means no page',
    }),
    tracePage: kind.webUrl('ASSAY_TRACE_PAGE', kind.none('no link'), {
      doc: 'Web address of a trace, with {traceId} in place of the id, such as http://127.0.0.1:16686/trace/{traceId}. The browser page links to this address',
    }),
  }),
  queueLimits: {
    evaluations: kind.count('ASSAY_QUEUE_EVALUATIONS', DEFAULT_QUEUE_LIMITS.evaluations, {
      doc: 'Largest number of unfinished evaluations of all flows. The same limit applies separately to other requests that use threads of an API process or wait for threads',
    }),
    waitingBytes: kind.bytes('ASSAY_QUEUE_BYTES', kind.atLeast(DEFAULT_QUEUE_LIMITS.waitingBytes, 4, MAX_BODY_BYTES), {
      doc: 'Limit for the bytes of the waiting chunks of all flows',
    }),
    resultBytes: kind.bytes('ASSAY_QUEUE_RESULT_BYTES', DEFAULT_QUEUE_LIMITS.resultBytes, {
      doc: 'Limit for the bytes of kept results of the asynchronous evaluations of all flows. Choose less than the memory of Redis, or less than the disk of the journal',
    }),
    definitionBytes: kind.bytes('ASSAY_QUEUE_DEFINITION_BYTES', DEFAULT_QUEUE_LIMITS.definitionBytes, {
      doc: 'Limit for the bytes of definitions that an API process stores for the evaluations of all flows',
    }),
  },
  serverTimes: {
    unreadMs: kind.milliseconds('ASSAY_IDLE_ANSWER_MS', SERVER_TIMES.unreadMs, {
      doc: 'Longest time for which a client may read nothing while an answer waits',
    }),
  },
  maxConnections: kind.count('ASSAY_MAX_CONNECTIONS', 10_000, {
    doc: 'Largest number of open connections. The service closes further connections at once',
  }),
  maxOpenRequests: kind.count('ASSAY_MAX_OPEN_REQUESTS', 1000, {
    doc: 'Largest number of open requests, including requests whose bodies still arrive. Further requests get a 429',
  }),
  maxLoopDelayMs: kind.milliseconds('ASSAY_MAX_LOOP_DELAY_MS', 2000, {
    min: 0,
    doc: 'If the event loop is delayed for longer, requests get a 503 with Retry-After. 0 means no limit',
  }),
  maxRssBytes: kind.bytes('ASSAY_MAX_RSS_BYTES', kind.none('no limit'), {
    min: 128 * kind.MIB,
    doc: 'If an API process uses more memory, requests get a 503 with Retry-After',
  }),
  allowedHosts: kind.names('ASSAY_ALLOWED_HOSTS', [], {
    doc: 'Names that the Host header of a request may have in addition to the names of loopback. The check applies to a service on loopback without keys',
  }),
  keysFile: kind.path('ASSAY_KEYS_FILE', kind.none('the service accepts every client'), {
    secret: true,
    doc: 'File with a YAML or JSON list of access keys',
  }),
  issuer: {
    issuer: kind.url('ASSAY_JWT_ISSUER', kind.none('the service accepts no tokens'), {
      doc: 'Address of an issuer of JSON Web Tokens that clients may use. The issuer must offer an OpenID Connect discovery document',
    }),
    audience: kind.filledText('ASSAY_JWT_AUDIENCE', kind.none('required with `ASSAY_JWT_ISSUER`'), {
      doc: 'Audience that the tokens must name',
    }),
    keySetUrl: kind.url('ASSAY_JWT_KEYS_URL', kind.none('the address in the discovery document of the issuer'), {
      doc: 'Address of the key set (JWKS) of the issuer',
    }),
  },
  audit: {
    level: kind.oneOf(AUDIT_LEVELS, 'ASSAY_AUDIT_LEVEL', 'none', {
      doc: 'Content of the audit log, which has a line for each request and for the end of each asynchronous evaluation. `none`: no log. `metadata`: client, request and result. `request`: also the body',
    }),
    file: kind.filledPath('ASSAY_AUDIT_FILE', '-', {
      doc: 'File of the audit log; `-` is the standard output. Each of several API processes writes its own file: audit-1.log, …',
    }),
    maxBytes: kind.bytes('ASSAY_AUDIT_MAX_BYTES', 100 * kind.MIB, { doc: 'Size of the audit log at which a new file begins' }),
    maxFiles: kind.count('ASSAY_AUDIT_FILES', 10, { doc: 'Number of older files of the audit log that the service keeps' }),
  },
  reloadMs: kind.milliseconds('ASSAY_RELOAD_MS', 5000, {
    min: 10,
    doc: 'Interval at which the service checks the files of keys and certificates for changes',
  }),
  metricsOpen: kind.flag('ASSAY_METRICS_OPEN', false, { doc: 'If true, clients may read /metrics without an access key' }),
  tlsFiles: {
    cert: kind.path('ASSAY_TLS_CERT_FILE', kind.none('the service accepts HTTP only'), {
      doc: 'File with the PEM certificate chain of the service. With this file and its key, the service accepts HTTPS only',
    }),
    key: kind.path('ASSAY_TLS_KEY_FILE', kind.none('required with `ASSAY_TLS_CERT_FILE`'), {
      secret: true,
      doc: 'File with the PEM private key of ASSAY_TLS_CERT_FILE',
    }),
    clientCa: kind.path('ASSAY_TLS_CLIENT_CA_FILE', kind.none('no certificates of clients'), {
      doc: 'File with the PEM certificate of an authority. Clients must then show a certificate of this authority',
    }),
  },
  certificateIdentities: kind.flag('ASSAY_TLS_CLIENT_NAMES', false, {
    doc: 'If true, the common name of a client certificate is the name of the client, and its organizations `assay:<role>` are the roles of the client',
  }),
} satisfies SettingTable;

/** Variables of Assay and of OpenTelemetry that are no settings of the service, with their meanings. */
export const OTHER_VARIABLES = {
  ASSAY_KEY: 'Access key that `assay load` and `assay bench` send to a service',
  ASSAY_API_PROCESS_NUMBER: 'Number of this process among several API processes. The service itself sets this variable',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'Address to which processes send their traces. Without it, tracing is off',
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'Full URL to which processes send their traces. It overrides `OTEL_EXPORTER_OTLP_ENDPOINT`',
  OTEL_SERVICE_NAME: 'Name of the service in traces. The default is `assay-` and the role',
  OTEL_RESOURCE_ATTRIBUTES: 'Further attributes of the process in traces',
  OTEL_TRACES_SAMPLER: 'Rule that chooses the requests whose traces the service records',
  OTEL_TRACES_SAMPLER_ARG: 'Share of the requests whose traces the service records, such as `0.05`',
  OTEL_NODE_RESOURCE_DETECTORS: 'Sources of attributes of the process. The default is `env,serviceinstance`',
} as const satisfies Readonly<Record<string, string>>;

/** Returns the settings with the roles that answer requests of clients. A worker does not use these settings. */
function answering<Table extends SettingTable>(settings: Table): Table {
  return changedSettings(settings, (setting) => ({ ...setting, roles: ['node', 'api'] })) as Table;
}
