import fastifyStatic from '@fastify/static';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Negotiator from 'negotiator';
import type { ApiConfig } from '../config.ts';
import { isWatching } from '../health/watching.ts';

/** The path of the page. */
export const FRONT = '/';
/** Caching of files whose name changes with their content. */
const FOR_EVER = 'public, max-age=31536000, immutable';
/** All others are asked about each time, and not sent again where they are the same. */
const ASK_AGAIN = 'no-cache';

/** Returns the directory of the service for programs that ask for `/`: it lists the paths of the API's description. */
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
 * Serves the page that judges in the browser: at `/` to whoever prefers HTML, and its files beside it. Programs that ask for `/` get a directory of the service as
 * JSON. A service without the page's files, or with an empty `ASSAY_PAGE_FOLDER`, has the directory only.
 */
export async function servePage(
  app: NestFastifyApplication,
  { pageFolder, tracePage }: Pick<ApiConfig, 'pageFolder' | 'tracePage'>,
  describe: () => OpenAPIObject,
): Promise<void> {
  const fastify = app.getHttpAdapter().getInstance();
  const front = pageFolder === undefined ? undefined : join(pageFolder, 'index.html');
  const page = front !== undefined && existsSync(front) ? readFileSync(front) : undefined;
  fastify.get(FRONT, (request: FastifyRequest, reply: FastifyReply) => {
    void reply.header('vary', 'accept').header('cache-control', ASK_AGAIN);
    const wanted = new Negotiator(request.raw).mediaType(['application/json', 'text/html']);
    if (wanted !== 'text/html' || page === undefined)
      return reply.type('application/json').send({ ...directoryOf(describe()), ...(tracePage !== undefined && { traces: tracePage }) });
    return reply.type('text/html; charset=utf-8').send(page);
  });
  if (page === undefined || pageFolder === undefined) return;
  await app.register(fastifyStatic, {
    root: pageFolder,
    prefix: FRONT,
    // A route for each file, so that nothing else of the file system can be asked for.
    wildcard: false,
    index: false,
    decorateReply: false,
    // Compressed when the page was built, as well as that goes.
    preCompressed: true,
    cacheControl: false,
    globIgnore: ['**/*.br', '**/*.gz', 'index.html'],
    setHeaders: (reply, path) => {
      void reply.header('cache-control', path.includes('/assets/') ? FOR_EVER : ASK_AGAIN);
    },
  });
}

/** Returns the paths of the page's files. They hold no data of clients, so they need no identity. */
export function pagePaths({ pageFolder }: Pick<ApiConfig, 'pageFolder'>): ReadonlySet<string> {
  const files =
    pageFolder === undefined || !existsSync(pageFolder)
      ? []
      : readdirSync(pageFolder, { recursive: true, encoding: 'utf8' }).map((file) => `/${file}`);
  return new Set([FRONT, ...files]);
}
