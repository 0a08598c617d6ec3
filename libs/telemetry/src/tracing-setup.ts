import type { NodeSDK } from '@opentelemetry/sdk-node';
import { packageVersion } from './package-version.ts';

/** Settings of tracing. The process reads them from environment variables with OpenTelemetry's names. */
export interface TracingSettings {
  readonly serviceName: string;
  /** OTLP endpoint. If it is undefined, tracing is off and the tracing code is not loaded. */
  readonly otlpEndpoint: string | undefined;
}

/** Returns the OTLP endpoint that OpenTelemetry's environment variables set for traces; undefined if tracing is off. */
export function traceEndpoint(variables: NodeJS.ProcessEnv = process.env): string | undefined {
  return variables['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] ?? variables['OTEL_EXPORTER_OTLP_ENDPOINT'];
}

let sdk: NodeSDK | undefined;

/**
 * Starts tracing if an endpoint is set. The call is in a module that Node loads before all others (`--import`). Sampling, headers and
 * protocol follow the OTEL_* variables, such as OTEL_TRACES_SAMPLER=parentbased_traceidratio and OTEL_TRACES_SAMPLER_ARG=0.1.
 */
export async function startTracing({ serviceName, otlpEndpoint }: TracingSettings): Promise<void> {
  if (otlpEndpoint === undefined) return;
  const { NodeSDK } = await import('@opentelemetry/sdk-node');
  // The attributes of the process contain an id that distinguishes workers, and the attributes from OTEL_RESOURCE_ATTRIBUTES. They omit the
  // host and the command line.
  process.env['OTEL_NODE_RESOURCE_DETECTORS'] ??= 'env,serviceinstance';
  // Attributes from OTEL_RESOURCE_ATTRIBUTES come last, so they take precedence.
  const { OTEL_RESOURCE_ATTRIBUTES: chosen } = process.env;
  process.env['OTEL_RESOURCE_ATTRIBUTES'] = [`service.version=${packageVersion()}`, ...(chosen ? [chosen] : [])].join(',');
  sdk = new NodeSDK({ serviceName, metricReaders: [], logRecordProcessors: [] });
  sdk.start();
}

/** Sends all buffered spans and stops tracing. */
export async function stopTracing(): Promise<void> {
  await sdk?.shutdown();
}
