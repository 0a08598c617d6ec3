import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { ApiModule } from './api.module.ts';
import { useRawBodies } from './body-parsers.ts';
import type { ApiConfig } from './config.ts';
import { traceRequests } from './request-span.ts';
import { StatusFilter } from './status.filter.ts';

/** A body must arrive within this time; NDJSON uploads may take longer and are bounded by their deadline. */
const REQUEST_TIMEOUT_MS = 3_600_000;
const HEADERS_TIMEOUT_MS = 15_000;

/** The API, ready to listen: Fastify with raw bodies, Status errors, request spans, OpenAPI at /docs and /docs-json. */
export async function createApi(config: ApiConfig): Promise<NestFastifyApplication> {
  const adapter = new FastifyAdapter({
    bodyLimit: config.maxBodyBytes,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: { headersTimeout: HEADERS_TIMEOUT_MS, connectionsCheckingInterval: 5000 },
    forceCloseConnections: true,
  });
  const app = await NestFactory.create<NestFastifyApplication>(ApiModule, adapter, {
    logger: ['error', 'warn'],
    bodyParser: false,
    abortOnError: false,
  });
  const fastify = app.getHttpAdapter().getInstance();
  useRawBodies(fastify);
  traceRequests(fastify);
  app.useGlobalFilters(new StatusFilter());
  const document = new DocumentBuilder()
    .setTitle('Assay')
    .setDescription("The kube-apiserver's verdict on custom resources, at batch scale, with the price of every rule.")
    .setVersion('1')
    .build();
  SwaggerModule.setup('docs', app, () => SwaggerModule.createDocument(app, document));
  return app;
}
