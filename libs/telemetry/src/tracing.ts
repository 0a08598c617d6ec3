import type { Attributes, Context, Span, Tracer } from '@opentelemetry/api';
import { tracingApi } from './open-telemetry.ts';

const tracer = (): Tracer => tracingApi().trace.getTracer('assay');

export type { Span } from '@opentelemetry/api';

/** A span that was measured where no tracer runs (a thread); times are epoch milliseconds. */
export interface FinishedSpan {
  readonly name: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Attributes;
  readonly children: readonly FinishedSpan[];
}

/** Returns true if spans are recorded. Without a provider of tracers, no span belongs to a trace, and none needs to be made. */
export function isTracing(): boolean {
  return traceIdOf(tracer().startSpan('nothing')) !== undefined;
}

/** Begins the span of an HTTP request, continuing the caller's trace where its `traceparent` says so. */
export function beginRequestSpan(method: string, route: string, headers: Readonly<Record<string, unknown>>): Span {
  const { context, propagation, SpanKind } = tracingApi();
  const parent = propagation.extract(context.active(), headers);
  return tracer().startSpan(
    `${method} ${route}`,
    { kind: SpanKind.SERVER, attributes: { 'http.request.method': method, 'http.route': route } },
    parent,
  );
}

/** Ends a request's span with its status code. */
export function endRequestSpan(span: Span, statusCode: number): void {
  span.setAttribute('http.response.status_code', statusCode);
  if (statusCode >= 500) span.setStatus({ code: tracingApi().SpanStatusCode.ERROR });
  span.end();
}

/** Begins a child span of `parent` for a step whose end is told elsewhere; whoever hears of it ends the span. Undefined where the parent is not recorded. */
export function beginSpan(name: string, parent: Span): Span | undefined {
  if (!parent.isRecording()) return undefined;
  const { context, trace } = tracingApi();
  return tracer().startSpan(name, {}, trace.setSpan(context.active(), parent));
}

/** Runs a step inside a child span of `parent`, which ends with the step, as an error when it throws. Without a parent that is recorded nothing is traced. */
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

/** Returns the W3C traceparent of a recorded span, to travel with work; undefined when the span is not recorded. */
export function traceparentOf(span: Span): string | undefined {
  if (!span.isRecording()) return undefined;
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}

/** Returns the trace a span belongs to, also when it is not recorded; undefined without tracing. */
export function traceIdOf(span: Span): string | undefined {
  const { traceId } = span.spanContext();
  return /^0+$/.test(traceId) ? undefined : traceId;
}

/** Returns the trace that a traceparent names, as logs and answers show it: `{ traceId }`, empty without one. */
export function traceOf(traceparent: string | undefined): { readonly traceId?: string } {
  const traceId = traceparent?.split('-')[1];
  return traceId === undefined ? {} : { traceId };
}

/** Makes real spans of finished ones, below the span that `traceparent` names. */
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
