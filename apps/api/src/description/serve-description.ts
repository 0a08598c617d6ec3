import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { SwaggerModule } from '@nestjs/swagger';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Serves the description of the API: a page at /docs, and the OpenAPI document at /docs-json. The document is written once, because anyone
 * may request it.
 */
export function serveDescription(app: NestFastifyApplication, describe: () => OpenAPIObject): void {
  SwaggerModule.setup('docs', app, describe, { raw: [] });
  let text: string | undefined;
  app
    .getHttpAdapter()
    .getInstance()
    .get('/docs-json', (_: FastifyRequest, reply: FastifyReply) =>
      reply.type('application/json; charset=utf-8').send((text ??= JSON.stringify(describe()))),
    );
}
