import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest, RawServerDefault } from 'fastify';
import type { OpenAPIObject } from '@nestjs/swagger';
import { authenticate, identityProviders } from './access/authenticate.ts';
import { KeyRing } from './access/key-ring.ts';
import { rateLimits } from './access/rate-limits.ts';
import { reloadSecrets } from './access/reload-secrets.ts';
import { ApiModule } from './api.module.ts';
import { useRawBodies } from './body-parsers.ts';
import { auditRequests } from './audit/audit-requests.ts';
import type { ApiConfig } from './config.ts';
import { describeApi } from './description/describe-api.ts';
import { serveDescription } from './description/serve-description.ts';
import { SERVICE } from './engine/service.ts';
import type { Service } from './engine/service.ts';
import type { QueueAdapter } from '#jobs';
import { answerUnreadable, nodeTimes, OpenConnections, refuseExpectations } from '#http-server';
import { serviceTelemetry } from '#telemetry';
import type { Telemetry } from '#telemetry';
import { nameAllowedMethods } from './http/allowed-methods.ts';
import { closeEarlyAnswers, timeBodies } from './http/body-times.ts';
import { checkHost } from './http/check-host.ts';
import { compressAnswers } from './http/compress-answers.ts';
import { limitOpenRequests, limitOpenRequestsOfFlows } from './http/limit-open-requests.ts';
import { sendInPieces } from './http/send-in-pieces.ts';
import { shedLoad } from './http/shed-load.ts';
import { nestLogger } from './nest-logger.ts';
import { servePage } from './page/serve-page.ts';
import { nameRequests, REQUEST_ID_HEADER, requestIdOf } from './request-id.ts';
import { traceRequests } from './request-span.ts';
import { secureResponses, securityHeaders } from './security-headers.ts';
import { answerFailure, StatusFilter } from './status.filter.ts';

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
  const bodyCame = timeBodies(fastify, config);
  sendInPieces(fastify);
  await compressAnswers(app);
  useRawBodies(fastify, config, bodyCame);
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
  // `checkHost` responds to a request without a Host header, with a Status.
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
    // `answerUnreadable` installs its own handler.
    clientErrorHandler: () => undefined,
    forceCloseConnections: true,
    // A client that supports HTTP/2 selects it in the TLS handshake.
    ...(tls ? { http2: true, https: { ...tls, ...settings, allowHTTP1: true, settings: http2Settings } } : { http: settings }),
  });
}
