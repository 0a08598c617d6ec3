import type { NodeSDK } from '@opentelemetry/sdk-node';
import { packageVersion } from './package-version.ts';

/** The environment variables that the process reads, with OpenTelemetry's names. */
export interface TracingSettings {
  readonly serviceName: string;
  /** OTLP endpoint; undefined switches tracing off, and then its code is not even loaded. */
  readonly otlpEndpoint: string | undefined;
}

let sdk: NodeSDK | undefined;

/**
 * Starts tracing where an endpoint is set. Runs in a module that Node loads first (`--import`). Sampling, headers and protocol follow the
 * OTEL_* variables, such as OTEL_TRACES_SAMPLER=parentbased_traceidratio and OTEL_TRACES_SAMPLER_ARG=0.1.
 */
export async function startTracing({ serviceName, otlpEndpoint }: TracingSettings): Promise<void> {
  if (otlpEndpoint === undefined) return;
  const { NodeSDK } = await import('@opentelemetry/sdk-node');
  // An id for each process, so that workers can be told apart, and what OTEL_RESOURCE_ATTRIBUTES says; nothing of the host or the command line.
  process.env['OTEL_NODE_RESOURCE_DETECTORS'] ??= 'env,serviceinstance';
  // What OTEL_RESOURCE_ATTRIBUTES says comes later, and so holds.
  const { OTEL_RESOURCE_ATTRIBUTES: chosen } = process.env;
  process.env['OTEL_RESOURCE_ATTRIBUTES'] = [`service.version=${packageVersion()}`, ...(chosen ? [chosen] : [])].join(',');
  sdk = new NodeSDK({ serviceName, metricReaders: [], logRecordProcessors: [] });
  sdk.start();
}

/** Sends what is buffered and stops. */
export async function stopTracing(): Promise<void> {
  await sdk?.shutdown();
}
