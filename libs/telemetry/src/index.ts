export { logger } from './logger.ts';
export { answerScrape, counters, histograms, observeEngine, observeLine, observeQueue } from './metrics.ts';
export type { QueueGauges } from './metrics.ts';
export { beginRequestSpan, emitSpans, endRequestSpan, inSpan, traceIdOf, traceOf, traceparentOf } from './tracing.ts';
export type { FinishedSpan } from './tracing.ts';
export { startTracing, stopTracing } from './tracing-setup.ts';
export type { TracingSettings } from './tracing-setup.ts';
