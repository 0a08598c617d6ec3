import { startTracing, traceEndpoint } from '#telemetry';

// `node --import` loads this module before all others, so that tracing exists when modules request tracers.
await startTracing({
  serviceName: process.env['OTEL_SERVICE_NAME'] ?? `assay-${process.env['ASSAY_ROLE'] ?? 'node'}`,
  otlpEndpoint: traceEndpoint(),
});
