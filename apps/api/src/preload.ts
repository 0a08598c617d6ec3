import { startTelemetry } from '#telemetry';

// Loaded by `node --import` before anything else, so that meters and tracers exist when modules ask for them.
startTelemetry({
  serviceName: process.env['OTEL_SERVICE_NAME'] ?? 'assay-api',
  otlpEndpoint: process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] ?? process.env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'],
});
