import fastifyStatic from '@fastify/static';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Negotiator from 'negotiator';
import type { ApiConfig } from '../config.ts';
import type { Log } from '#telemetry';
import { isWatching } from '../health/watching.ts';
import { answerFailure } from '../status.filter.ts';

/** Path of the URL of the web page. */
export const FRONT_PAGE_PATH = '/';
/** `Cache-Control` value for files whose name changes with their content. */
const FOR_EVER = 'public, max-age=31536000, immutable';
/** `Cache-Control` value for all other files. Browsers must revalidate them each time, and unchanged files are not sent again. */
const ASK_AGAIN = 'no-cache';

/** Returns the JSON directory of the service for programs that request `/`. It lists the paths of the API description. */
function directoryOf({ paths }: Pick<OpenAPIObject, 'paths'>): object {
  const all = Object.keys(paths);
  return {
    name: 'assay',
    description: "The kube-apiserver's verdict on custom resources, at batch scale, with the price of every rule",
    documentation: '/docs',
    openapi: '/docs-json',
    operations: all.filter((path) => !isWatching(path)),
    health: all.filter(isWatching),
  };
}

/**
 * Serves the web page that validates objects in the browser: at `/` to clients that prefer HTML, with its files at their own paths.
 * Programs that request `/` receive a directory of the service as JSON. If the page's files are missing, or `ASSAY_PAGE_FOLDER` is empty,
 * the service serves only the directory.
 *
 * Nest's exception filters do not apply to these routes, because the routes are registered with Fastify directly. Therefore the routes are
 * in a Fastify scope with its own error handler, which answers an error with a Kubernetes Status.
 */
export async function servePage(
  app: NestFastifyApplication,
  config: Pick<ApiConfig, 'pageFolder' | 'tracePage'>,
  describe: () => OpenAPIObject,
  log: Log,
): Promise<void> {
  await app.register(async (scope: FastifyInstance) => {
    scope.setErrorHandler((error, request, reply) => answerFailure(error, request, reply, log));
    await addRoutes(scope, config, describe);
  });
}

async function addRoutes(
  fastify: FastifyInstance,
  { pageFolder, tracePage }: Pick<ApiConfig, 'pageFolder' | 'tracePage'>,
  describe: () => OpenAPIObject,
): Promise<void> {
  const front = pageFolder === undefined ? undefined : join(pageFolder, 'index.html');
  const page = front !== undefined && existsSync(front) ? readFileSync(front) : undefined;
  fastify.get(FRONT_PAGE_PATH, (request: FastifyRequest, reply: FastifyReply) => {
    void reply.header('vary', 'accept').header('cache-control', ASK_AGAIN);
    const wanted = new Negotiator(request.raw).mediaType(['application/json', 'text/html']);
    if (wanted !== 'text/html' || page === undefined)
      return reply.type('application/json').send({ ...directoryOf(describe()), ...(tracePage !== undefined && { traces: tracePage }) });
    return reply.type('text/html; charset=utf-8').send(page);
  });
  if (page === undefined || pageFolder === undefined) return;
  await fastify.register(fastifyStatic, {
    root: pageFolder,
    prefix: FRONT_PAGE_PATH,
    // Each file has its own route, so that no other file of the file system is reachable.
    wildcard: false,
    index: false,
    decorateReply: false,
    // The build has already compressed these files at the highest level.
    preCompressed: true,
    cacheControl: false,
    globIgnore: ['**/*.br', '**/*.gz', 'index.html'],
    setHeaders: (reply, path) => {
      void reply.header('cache-control', path.includes('/assets/') ? FOR_EVER : ASK_AGAIN);
    },
  });
}

/** Returns the paths of the web page's files. The files contain no data of clients, so requests for them need no identity. */
export function pagePaths({ pageFolder }: Pick<ApiConfig, 'pageFolder'>): ReadonlySet<string> {
  const files =
    pageFolder === undefined || !existsSync(pageFolder)
      ? []
      : readdirSync(pageFolder, { recursive: true, encoding: 'utf8' }).map((file) => `/${file}`);
  return new Set([FRONT_PAGE_PATH, ...files]);
}
