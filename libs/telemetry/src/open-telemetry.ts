import type * as openTelemetryApi from '@opentelemetry/api';

type OpenTelemetry = typeof openTelemetryApi;

let loaded: OpenTelemetry | undefined;

/**
 * Loads OpenTelemetry's API. A service does so before it begins a span. The command line has no spans and never does: with fewer modules it
 * starts sooner.
 */
export async function loadOpenTelemetry(): Promise<void> {
  loaded ??= await import('@opentelemetry/api');
}

/** OpenTelemetry's API; undefined where nothing loaded it. */
export const openTelemetry = (): OpenTelemetry | undefined => loaded;

/** Returns the same, for steps that only a process with spans takes; throws in others. */
export function tracingApi(): OpenTelemetry {
  if (loaded === undefined) throw new Error('a span was begun by a process without tracing');
  return loaded;
}
