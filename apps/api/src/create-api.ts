import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { largestBody, limitBodies } from './access/limit-bodies.ts';
import { requireKey } from './access/require-key.ts';
import { ApiModule } from './api.module.ts';
import { useRawBodies } from './body-parsers.ts';
import type { ApiConfig } from './config.ts';
import { Drain } from './drain.ts';
import { serviceTelemetry } from '#telemetry';
import type { Telemetry } from '#telemetry';
import { nestLogger } from './nest-logger.ts';
import { nameRequests, REQUEST_ID_HEADER, requestIdOf } from './request-id.ts';
import { traceRequests } from './request-span.ts';
import { secureResponses, securityHeaders } from './security-headers.ts';
import { answerFailure, StatusFilter } from './status.filter.ts';

/** A body must arrive within this time; NDJSON uploads may take longer and are bounded by their deadline. */
const REQUEST_TIMEOUT_MS = 3_600_000;
const SERVER_TIMES = { headersTimeout: 15_000, connectionsCheckingInterval: 5000 } as const;

/** The API, ready to listen: Fastify with raw bodies, access control, Status errors, request spans, OpenAPI at /docs and /docs-json. */
export async function createApi(config: ApiConfig, given?: Telemetry): Promise<NestFastifyApplication> {
  const telemetry = given ?? (await serviceTelemetry());
  const app = await NestFactory.create<NestFastifyApplication>(ApiModule.with(config, telemetry), adapterOf(config, telemetry), {
    logger: nestLogger(telemetry.log),
    bodyParser: false,
    abortOnError: false,
  });
  const fastify = app.getHttpAdapter().getInstance();
  // In this order: what a refused request is answered with has headers, an id and a span, too.
  secureResponses(fastify, securityHeaders(config.tls !== undefined));
  nameRequests(fastify);
  traceRequests(fastify, telemetry);
  app.get(Drain).watch(fastify);
  requireKey(fastify, config);
  limitBodies(fastify, config);
  useRawBodies(fastify);
  app.useGlobalFilters(new StatusFilter(telemetry.log));
  SwaggerModule.setup('docs', app, () => SwaggerModule.createDocument(app, description(config)));
  return app;
}

function adapterOf(config: ApiConfig, { log }: Telemetry): FastifyAdapter {
  const { tls } = config;
  const setHeaders = securityHeaders(tls !== undefined);
  return new FastifyAdapter({
    bodyLimit: largestBody(config),
    requestTimeout: REQUEST_TIMEOUT_MS,
    genReqId: ({ headers }: { headers: Parameters<typeof requestIdOf>[0] }) => requestIdOf(headers),
    // Requests that match no route because their URL cannot be read pass no hook.
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) => {
      setHeaders(request.raw, reply.raw);
      reply.raw.setHeader(REQUEST_ID_HEADER, request.id);
      answerFailure(error, request, reply, log);
    },
    forceCloseConnections: true,
    ...(tls ? { https: { ...tls, ...SERVER_TIMES } } : { http: SERVER_TIMES }),
  });
}

function description(config: ApiConfig): ReturnType<DocumentBuilder['build']> {
  const document = new DocumentBuilder()
    .setTitle('Assay')
    .setDescription("The kube-apiserver's verdict on custom resources, at batch scale, with the price of every rule.")
    .setVersion('1');
  if (config.keys) document.addBearerAuth({ type: 'http', scheme: 'bearer' }).addSecurityRequirements('bearer');
  return document.build();
}
