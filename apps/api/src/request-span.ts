import type { Span } from '@opentelemetry/api';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { beginRequestSpan, beginSpan, endRequestSpan, isTracing, traceIdOf } from '#telemetry';
import type { Telemetry } from '#telemetry';
import { isWatching } from './health/watching.ts';

/** Store for one value per request. The value is stored in the request object and lives as long as the request. */
export class RequestValue<Value> {
  readonly #key: symbol;

  /** Creates a store for one value per request. `name` is a label that is visible in a debugger. */
  constructor(name: string) {
    this.#key = Symbol(name);
  }

  /** Returns the value for a request; undefined if none was set. */
  get(request: FastifyRequest): Value | undefined {
    return (request as unknown as Readonly<Record<symbol, Value | undefined>>)[this.#key];
  }

  set(request: FastifyRequest, value: Value): void {
    (request as unknown as Record<symbol, Value>)[this.#key] = value;
  }
}

const spans = new RequestValue<Span>('span');
/** Span of each answer, from the moment when its first byte is available until its last byte is written. */
const sending = new RequestValue<Span | undefined>('span of the answer');

/**
 * Records the duration of each request. If traces are recorded, also records one span per request, except for health probes and metrics
 * scrapes. The answer contains the id of its trace in `x-trace-id`.
 */
export function traceRequests(fastify: FastifyInstance, { metrics }: Telemetry): void {
  if (isTracing()) beginSpans(fastify);
  fastify.addHook('onResponse', (request, reply, done) => {
    sending.get(request)?.end();
    const span = spans.get(request);
    if (span) endRequestSpan(span, reply.statusCode);
    metrics.histograms.requestSeconds.record(reply.elapsedTime / 1000, {
      method: request.method,
      route: request.routeOptions.url ?? 'unmatched',
      code: reply.statusCode,
    });
    done();
  });
}

function beginSpans(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unmatched';
    if (!isWatching(route)) {
      const span = beginRequestSpan(request.method, route, request.headers);
      spans.set(request, span);
      const traceId = traceIdOf(span);
      if (traceId) void reply.header('x-trace-id', traceId);
    }
    done();
  });
  fastify.addHook('onSend', (request, _, payload, done) => {
    const span = spans.get(request);
    if (span && !sending.get(request)) sending.set(request, beginSpan('send answer', span));
    done(null, payload);
  });
}

/** Returns the span of a request that {@link traceRequests} began; undefined if the request is not traced. */
export function requestSpan(request: FastifyRequest): Span | undefined {
  return spans.get(request);
}

/** Returns the fields of a log line about a request: its id, and its trace if there is one. */
export function logFields(request: FastifyRequest): { readonly requestId: string; readonly traceId?: string } {
  const span = spans.get(request);
  const traceId = span && traceIdOf(span);
  return { requestId: request.id, ...(traceId && { traceId }) };
}
