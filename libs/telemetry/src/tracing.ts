import type { Attributes, Context, Span, Tracer } from '@opentelemetry/api';
import type * as openTelemetryApi from '@opentelemetry/api';

const tracer = (): Tracer => tracingApi().trace.getTracer('assay');

export type { Span } from '@opentelemetry/api';

/** Span that was measured on a thread without a tracer. Times are in epoch ms. */
export interface FinishedSpan {
  readonly name: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Attributes;
  readonly children: readonly FinishedSpan[];
}

/** Returns true if spans are recorded. Without a tracer provider, no span has a trace, and code need not create spans. */
export function isTracing(): boolean {
  return traceIdOf(tracer().startSpan('nothing')) !== undefined;
}

/** Begins the span of an HTTP request. Continues the caller's trace if the request has a `traceparent` header. */
export function beginRequestSpan(method: string, route: string, headers: Readonly<Record<string, unknown>>): Span {
  const { context, propagation, SpanKind } = tracingApi();
  const parent = propagation.extract(context.active(), headers);
  return tracer().startSpan(
    `${method} ${route}`,
    { kind: SpanKind.SERVER, attributes: { 'http.request.method': method, 'http.route': route } },
    parent,
  );
}

/** Sets the status code on a request's span and ends the span. */
export function endRequestSpan(span: Span, statusCode: number): void {
  span.setAttribute('http.response.status_code', statusCode);
  if (statusCode >= 500) span.setStatus({ code: tracingApi().SpanStatusCode.ERROR });
  span.end();
}

/**
 * Begins a child span of `parent` for a step that does not end in the calling function. The code that ends the step must end the span.
 * Returns undefined if `parent` is not recorded.
 */
export function beginSpan(name: string, parent: Span): Span | undefined {
  if (!parent.isRecording()) return undefined;
  const { context, trace } = tracingApi();
  return tracer().startSpan(name, {}, trace.setSpan(context.active(), parent));
}

/**
 * Runs a step inside a child span of `parent`. The span ends when the step ends, and records an error if the step throws. If `parent` is
 * not recorded, the step runs without a span.
 */
export function inSpan<T>(name: string, parent: Span | undefined, attributes: Attributes, step: () => Promise<T>): Promise<T> {
  return parent?.isRecording() === true ? inRecordedSpan(name, parent, attributes, step) : step();
}

async function inRecordedSpan<T>(name: string, parent: Span, attributes: Attributes, step: () => Promise<T>): Promise<T> {
  const { context, SpanStatusCode, trace } = tracingApi();
  const span = tracer().startSpan(name, { attributes }, trace.setSpan(context.active(), parent));
  try {
    return await step();
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR });
    throw error;
  } finally {
    span.end();
  }
}

/**
 * Returns the W3C traceparent of a recorded span, for sending it to another process together with a task; undefined if the span is not
 * recorded.
 */
export function traceparentOf(span: Span): string | undefined {
  if (!span.isRecording()) return undefined;
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}

/** Returns the id of a span's trace, even if the span is not recorded; undefined if tracing is off. */
export function traceIdOf(span: Span): string | undefined {
  const { traceId } = span.spanContext();
  return /^0+$/.test(traceId) ? undefined : traceId;
}

/** Returns the trace id of a traceparent as `{ traceId }`, for logs and answers; an empty object if there is no traceparent. */
export function traceOf(traceparent: string | undefined): { readonly traceId?: string } {
  const traceId = traceparent?.split('-')[1];
  return traceId === undefined ? {} : { traceId };
}

/**
 * Creates OpenTelemetry spans from spans that were measured on a thread without a tracer. They become children of the span that
 * `traceparent` identifies.
 */
export function emitSpans(spans: readonly FinishedSpan[], traceparent: string): void {
  const { context, propagation } = tracingApi();
  emitBelow(spans, propagation.extract(context.active(), { traceparent }));
}

function emitBelow(spans: readonly FinishedSpan[], parent: Context): void {
  for (const { name, startMs, endMs, attributes, children } of spans) {
    const span = tracer().startSpan(name, { startTime: startMs, attributes }, parent);
    emitBelow(children, tracingApi().trace.setSpan(parent, span));
    span.end(endMs);
  }
}

type OpenTelemetry = typeof openTelemetryApi;

let loaded: OpenTelemetry | undefined;

/**
 * Loads OpenTelemetry's API. A service calls this function before it begins a span. The command line has no spans and does not call the
 * function, so it loads fewer modules and starts faster.
 */
export async function loadOpenTelemetry(): Promise<void> {
  loaded ??= await import('@opentelemetry/api');
}

/** Returns OpenTelemetry's API; undefined if it was not loaded. */
export const openTelemetry = (): OpenTelemetry | undefined => loaded;

/** Returns OpenTelemetry's API, for code that runs only in a process that records trace spans. Throws if the API was not loaded. */
function tracingApi(): OpenTelemetry {
  if (loaded === undefined) throw new Error('a span was begun by a process without tracing');
  return loaded;
}
