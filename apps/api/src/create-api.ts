import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest, RawServerDefault, FastifyInstance } from 'fastify';
import type { OpenAPIObject } from '@nestjs/swagger';
import { authenticate, identityProviders } from './access/authenticate.ts';
import { KeyRing } from './access/key-ring.ts';
import { rateLimits } from './access/rate-limits.ts';
import { reloadSecrets } from './access/reload-secrets.ts';
import { deliverBodiesRaw } from './body-parsers.ts';
import { auditRequests } from './audit/audit-requests.ts';
import type { ApiConfig } from './config.ts';
import { SERVICE } from './engine/service.ts';
import type { Service } from './engine/service.ts';
import type { QueueAdapter } from '#jobs';
import { answerUnreadable, nodeTimes, OpenConnections, refuseExpectations } from '#http-server';
import { serviceTelemetry } from '#telemetry';
import type { Telemetry, Log } from '#telemetry';
import { nameAllowedMethods } from './http/allowed-methods.ts';
import { closeEarlyAnswers, timeBodies } from './http/body-times.ts';
import { checkHost } from './http/check-host.ts';
import { compressAnswers, sendInPieces } from './http/send-answers.ts';
import { limitOpenRequests, limitOpenRequestsOfFlows, shedLoad } from './http/limit-load.ts';
import { servePage } from './page/serve-page.ts';
import { traceRequests } from './request-span.ts';
import { secureResponses, securityHeaders } from './security-headers.ts';
import { answerFailure, StatusFilter } from './status.filter.ts';
import { SwaggerModule, DocumentBuilder } from '@nestjs/swagger';
import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { LoggerService, DynamicModule, OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { UnusableJournal } from '#jobs';
import { requiresIdentity } from './access/exposure.ts';
import { isProbe } from './health/watching.ts';
import { addAnswerExamples } from './description/answer-examples.ts';
import { componentSchemas, DescribeAnswer, DescribeOptions, DescribeWithBody } from './description/operations.ts';
import { ENDPOINT_GROUPS, Endpoints } from './description/endpoints.ts';
import { Inject, Module, HttpCode, Post } from '@nestjs/common';
import { AdmissionController } from './admission/admission.controller.ts';
import { BenchmarksController } from './benchmarks/benchmarks.controller.ts';
import { KeptDefinitionsController, DefinitionsController } from './definitions/definitions.controller.ts';
import { composeService } from './engine/compose-service.ts';
import { EvaluationsController } from './evaluations/evaluations.controller.ts';
import { DetachedEvaluationsController } from './evaluations/detached-evaluations.controller.ts';
import { ExplainController } from './explain/explain.controller.ts';
import { HealthController } from './health/health.controller.ts';
import { MatrixController } from './matrix/matrix.controller.ts';
import { WhatIfController } from './what-if/what-if.controller.ts';
import type { Readable } from 'node:stream';
import { badRequestStatus } from '#kube';
import { adviceAnswer } from '#documents';
import { advise, answered, refused } from '#service';
import { HttpExchange } from './answer-use-case.ts';
import type { Exchange } from './answer-use-case.ts';

/** Controller that returns advice on the rules of definitions. */
@Endpoints('advise', 'advise')
class AdviseController {
  readonly #service: Service;

  constructor(@Inject(SERVICE) service: Service) {
    this.#service = service;
  }

  @Post()
  @HttpCode(200)
  @DescribeWithBody({
    summary: 'Give advice on the rules of definitions',
    description: 'docs/reference/advice.md lists the kinds of advice. Assay judges no objects and no policies of the batch.',
    bodies: ['batch'],
  })
  @DescribeOptions('wait')
  @DescribeAnswer('The report of each definition, and the advice on its rules', { json: adviceAnswer })
  evaluate(@HttpExchange() exchange: Exchange): Promise<string | Readable> {
    return this.#service.answers.ofBatch(exchange, 'advice', async (documents, { engine, signal }) =>
      documents.definitions.length === 0
        ? refused(badRequestStatus('the batch holds no definition'))
        : answered(await advise(engine, documents, signal)),
    );
  }
}

/** Longest time in ms until a request body must have arrived. NDJSON uploads may take longer; they have a separate deadline. */
const REQUEST_TIMEOUT_MS = 3_600_000;
/** Number of requests that a client may have open on one HTTP/2 connection. */
const MAX_STREAMS = 100;
/** Most bytes of the headers of an HTTP/2 request. Node's limit for HTTP/1.1 has the same default. */
const MAX_HEADER_BYTES = 16 * 1024;

/**
 * Creates the HTTP API, ready to listen. It consists of Fastify with request bodies as bytes, access control, Status errors, request spans,
 * OpenAPI at /docs and /docs-json, and the page at /. If the process has the role `worker`, it serves only health and metrics.
 */
export async function createApi(config: ApiConfig, given?: Telemetry): Promise<NestFastifyApplication> {
  const telemetry = given ?? (await serviceTelemetry());
  const app = await NestFactory.create<NestFastifyApplication>(ApiModule.with(config, telemetry), adapterOf(config, telemetry), {
    logger: nestLogger(telemetry.log),
    bodyParser: false,
    abortOnError: false,
  });
  const fastify = app.getHttpAdapter().getInstance();
  const server = app.getHttpServer();
  server.maxConnections = config.maxConnections;
  const connections = new OpenConnections(server, config.serverTimes);
  fastify.addHook('preClose', async () => connections.close());
  const headers = securityHeaders(config.tls !== undefined)();
  answerUnreadable(server, headers);
  refuseExpectations(server, headers);
  // The order matters: the response to a rejected request also needs headers, an id and a span.
  secureResponses(fastify, securityHeaders(config.tls !== undefined));
  nameRequests(fastify);
  traceRequests(fastify, telemetry);
  const { audit, drain, durable }: { readonly durable: QueueAdapter } & Pick<Service, 'audit' | 'drain'> = app.get<Service>(SERVICE);
  auditRequests(fastify, audit);
  drain.watch(fastify);
  closeEarlyAnswers(fastify);
  checkHost(fastify, config);
  await shedLoad(app, config);
  limitOpenRequests(fastify, config);
  const keys = new KeyRing(config, telemetry.log, rateLimits(durable.tokens));
  const providers = identityProviders(config, keys);
  authenticate(fastify, config, providers, telemetry.log);
  limitOpenRequestsOfFlows(fastify, config);
  reloadSecrets(fastify, config, keys, telemetry.log);
  nameAllowedMethods(fastify);
  const onBodyComplete = timeBodies(fastify, config);
  sendInPieces(fastify);
  await compressAnswers(app);
  deliverBodiesRaw(fastify, config, onBodyComplete);
  app.useGlobalFilters(new StatusFilter(telemetry.log));
  if (config.role === 'worker') return app;
  // Routes are known only when the application is ready.
  let known: OpenAPIObject | undefined;
  const describe = (): OpenAPIObject => (known ??= describeApi(app, config));
  await servePage(app, config, describe, telemetry.log);
  serveDescription(app, describe);
  return app;
}

function adapterOf(config: ApiConfig, { log }: Telemetry): FastifyAdapter {
  const { tls, serverTimes } = config;
  // Node must not answer requests without a Host header, because `checkHost` answers them with a Status.
  const settings = { ...nodeTimes(serverTimes, REQUEST_TIMEOUT_MS), requireHostHeader: false };
  const http2Settings = { maxConcurrentStreams: MAX_STREAMS, maxHeaderListSize: MAX_HEADER_BYTES };
  const headers = securityHeaders(tls !== undefined);
  return new FastifyAdapter<RawServerDefault>({
    // On a busy machine, the start may take longer than Fastify's limit of 10 s, which would end the process. The readiness probe has its
    // own limit.
    pluginTimeout: 0,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: serverTimes.keepAliveMs,
    genReqId: ({ headers }: { headers: Parameters<typeof requestIdOf>[0] }) => requestIdOf(headers),
    // Requests with an unreadable URL match no route, so no hook runs for them.
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) => {
      void reply.headers({ ...headers(), [REQUEST_ID_HEADER]: request.id });
      answerFailure(error, request, reply, log);
    },
    // `answerUnreadable` installs its own handler, so the handler of Fastify does nothing.
    clientErrorHandler: () => undefined,
    forceCloseConnections: true,
    // A client that supports HTTP/2 selects it in the TLS handshake. Other clients use HTTP/1.1.
    ...(tls ? { http2: true, https: { ...tls, ...settings, allowHTTP1: true, settings: http2Settings } } : { http: settings }),
  });
}

/**
 * Serves the description of the API: a page at /docs, and the OpenAPI document at /docs-json. The document is written once, because anyone
 * may request it.
 */
function serveDescription(app: NestFastifyApplication, describe: () => OpenAPIObject): void {
  SwaggerModule.setup('docs', app, describe, { raw: [] });
  let text: string | undefined;
  app
    .getHttpAdapter()
    .getInstance()
    .get('/docs-json', (_: FastifyRequest, reply: FastifyReply) =>
      reply.type('application/json; charset=utf-8').send((text ??= JSON.stringify(describe()))),
    );
}

/** Header for the id of a request, both in requests and in answers. */
const REQUEST_ID_HEADER = 'x-request-id';
const SAFE_ID = /^[A-Za-z0-9-]{1,64}$/;

/** Returns the request id that the client sent, if its characters are safe for a log; otherwise returns a new id. */
function requestIdOf(headers: IncomingHttpHeaders): string {
  const requested = headers[REQUEST_ID_HEADER];
  return typeof requested === 'string' && SAFE_ID.test(requested) ? requested : randomUUID();
}

/**
 * Adds the id of the request to every answer, only in a header. The API server, too, sends its Audit-ID in a header and leaves Status
 * unchanged (source: k8s.io/apiserver/pkg/endpoints/filters/audit_init.go, 1.37).
 */
function nameRequests(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    void reply.header(REQUEST_ID_HEADER, request.id);
    done();
  });
}

/**
 * Returns a logger that writes the warnings and errors of Nest to the log of the service. The second argument of its methods is a stack
 * trace or the name of the Nest component. Errors that end the start with a sentence are left out ({@link isReportedAtStart}).
 */
function nestLogger(log: Log): LoggerService {
  return {
    log: () => undefined,
    warn: (message: unknown, part?: unknown) => log.warn(fields(message, part), 'nest warns'),
    error: (message: unknown, part?: unknown) => {
      if (!isReportedAtStart(message)) log.error(fields(message, part), 'nest failed');
    },
    fatal: (message: unknown, part?: unknown) => log.fatal(fields(message, part), 'nest failed'),
  };
}

/** Returns true for an error that Nest logs and also throws, if the entry point turns it into a sentence: a taken journal or port. */
const isReportedAtStart = (message: unknown): boolean =>
  message instanceof UnusableJournal || (typeof message === 'string' && message.startsWith('Error: listen '));

function fields(message: unknown, part: unknown): object {
  const fields = message instanceof Error ? { err: message } : { said: String(message) };
  return typeof part === 'string' ? { ...fields, part } : fields;
}

/** Returns the OpenAPI 3.0 document of the API. */
export function describeApi(app: NestFastifyApplication, config: ApiConfig): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setTitle('Assay')
    .setDescription(
      "The kube-apiserver's verdict on custom resources, at batch scale, with the price of every rule. The answer to every failure is a metav1.Status. If an answer has two forms, JSON and lines of NDJSON, its content is JSON, and `x-also-answered` describes the lines.",
    )
    .setVersion('1')
    .addServer('/', 'The service that sent this document');
  for (const [name, description] of Object.entries(ENDPOINT_GROUPS)) builder.addTag(name, description);
  const isOpen = !requiresIdentity(config);
  const bearer = { type: 'http', scheme: 'bearer', description: 'An access key, or a token of the trusted issuer' } as const;
  builder.addBearerAuth(bearer);
  // A service without access keys needs no key from its clients. Generated clients still have a parameter for the key.
  if (isOpen) builder.addSecurityRequirements({});
  builder.addSecurityRequirements('bearer');
  const document = SwaggerModule.createDocument(app, builder.build());
  document.components = { ...document.components, schemas: componentSchemas() };
  addAnswerExamples(document);
  for (const [path, item] of Object.entries(document.paths)) if (isProbe(path) && item.get) item.get.security = [];
  return document;
}

/** Controllers that answer requests of clients. */
const ANSWERING = [
  EvaluationsController,
  DetachedEvaluationsController,
  DefinitionsController,
  KeptDefinitionsController,
  ExplainController,
  AdviseController,
  BenchmarksController,
  MatrixController,
  WhatIfController,
  AdmissionController,
];

/** Root module of a process. It starts and stops the service. A process in the role `worker` answers health and metrics only. */
@Module({})
class ApiModule implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #service: Service;

  constructor(@Inject(SERVICE) service: Service) {
    this.#service = service;
  }

  /** Returns the root module for a configuration, which was read and checked before anything starts. */
  static with(config: ApiConfig, telemetry: Telemetry): DynamicModule {
    const controllers = config.role === 'worker' ? [HealthController] : [HealthController, ...ANSWERING];
    return { module: ApiModule, controllers, providers: [{ provide: SERVICE, useValue: composeService(config, telemetry) }] };
  }

  onApplicationBootstrap(): Promise<void> {
    return this.#service.start();
  }

  onApplicationShutdown(): Promise<void> {
    return this.#service.stop();
  }
}
