const PROBES: ReadonlySet<string> = new Set(['/livez', '/healthz', '/readyz']);

/** Path of the metrics endpoint. */
export const METRICS = '/metrics';

/**
 * Returns true if a route is a health probe. A health probe reports if the service works, and reveals nothing about the work of clients.
 */
export const isProbe = (route: string): boolean => PROBES.has(route);

/**
 * Returns true if a route serves the monitoring of the service: health probes and metrics. These requests are frequent and do not count as
 * work.
 */
export const isWatching = (route: string): boolean => isProbe(route) || route === METRICS;
