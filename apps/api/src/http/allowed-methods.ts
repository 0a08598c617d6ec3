import type { FastifyInstance } from 'fastify';
import { methodNotAllowedStatus } from '#kube';
import { StatusFailure } from '../status.filter.ts';

interface KnownPath {
  readonly pattern: RegExp;
  readonly methods: Set<string>;
}

/** Answers a wrong method on a known path with 405 and `Allow` (RFC 9110, section 15.5.6). Fastify itself answers only 404. */
export function nameAllowedMethods(fastify: FastifyInstance): void {
  const paths = new Map<string, KnownPath>();
  fastify.addHook('onRoute', ({ url, method }) => {
    const path = paths.get(url) ?? { pattern: patternOf(url), methods: new Set() };
    for (const one of [method].flat()) path.methods.add(one);
    paths.set(url, path);
  });
  fastify.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done();
    const requestedPath = request.url.split('?', 1)[0] ?? '';
    const methods = [...paths.values()].filter(({ pattern }) => pattern.test(requestedPath)).flatMap(({ methods }) => [...methods]);
    if (methods.length === 0) return done();
    void reply.header('allow', [...new Set(methods)].toSorted().join(', '));
    done(new StatusFailure(methodNotAllowedStatus()));
  });
}

/** Returns a pattern that matches the paths of a route. For a route with a wildcard, which serves files, the pattern matches nothing. */
function patternOf(route: string): RegExp {
  if (route.includes('*')) return /(?!)/;
  const literal = route.replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(`^${literal.replaceAll(/:[^/]+/g, '[^/]+')}/?$`);
}
