export { logger } from './logger.ts';
export { counters, histograms, observeGauges } from './metrics.ts';
export { answerScrape, startTelemetry, stopTelemetry } from './telemetry.ts';
export type { TelemetrySettings } from './telemetry.ts';
export { beginRequestSpan, emitSpans, endRequestSpan, inSpan, traceIdOf, traceparentOf } from './tracing.ts';
export type { FinishedSpan } from './tracing.ts';
