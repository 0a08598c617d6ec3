export { logger } from './logger.ts';
export { answerScrape, counters, histograms, observeGauges } from './metrics.ts';
export type { GaugeValues } from './metrics.ts';
export { beginRequestSpan, emitSpans, endRequestSpan, inSpan, traceIdOf, traceparentOf } from './tracing.ts';
export type { FinishedSpan } from './tracing.ts';
export { startTracing, stopTracing } from './tracing-setup.ts';
export type { TracingSettings } from './tracing-setup.ts';
