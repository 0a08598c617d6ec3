import type * as openTelemetryApi from '@opentelemetry/api';

type OpenTelemetry = typeof openTelemetryApi;

let loaded: OpenTelemetry | undefined;

/**
 * Loads OpenTelemetry's API. A service calls this function before it begins a span. The command line has no spans and does not call the
 * function, so it loads fewer modules and starts faster.
 */
export async function loadOpenTelemetry(): Promise<void> {
  loaded ??= await import('@opentelemetry/api');
}

/** Returns OpenTelemetry's API; undefined if it was not loaded. */
export const openTelemetry = (): OpenTelemetry | undefined => loaded;

/** Returns OpenTelemetry's API, for code that runs only in a process that records trace spans. Throws if the API was not loaded. */
export function tracingApi(): OpenTelemetry {
  if (loaded === undefined) throw new Error('a span was begun by a process without tracing');
  return loaded;
}
