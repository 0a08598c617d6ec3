import { startTracing, traceEndpoint } from '#telemetry';

// Loaded by `node --import` before anything else, so that tracing is there when modules ask for tracers.
await startTracing({
  serviceName: process.env['OTEL_SERVICE_NAME'] ?? `assay-${process.env['ASSAY_ROLE'] ?? 'node'}`,
  otlpEndpoint: traceEndpoint(),
});
