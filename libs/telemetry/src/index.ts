// The entry point of a program creates the metrics and the log, and passes them to all other modules.
export { logOnly, SCRAPE_MEDIA_TYPE, serviceTelemetry } from './telemetry.ts';
export type { Telemetry } from './telemetry.ts';
export { stderrLog } from './logger.ts';
export type { Log } from './logger.ts';
export type { LevelGauges, Metrics, QueueGauges } from './metrics.ts';

// Traces use OpenTelemetry's global tracer. The entry point starts the tracer before it loads anything else.
export { startTracing, stopTracing, traceEndpoint } from './tracing-setup.ts';
export type { TracingSettings } from './tracing-setup.ts';
export { beginRequestSpan, beginSpan, emitSpans, endRequestSpan, inSpan, isTracing, traceIdOf, traceOf, traceparentOf } from './tracing.ts';
export type { FinishedSpan, Span } from './tracing.ts';
export { takeNoArguments } from './take-no-arguments.ts';
export { packageVersion } from './package-version.ts';
