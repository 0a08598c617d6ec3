const PROBES: ReadonlySet<string> = new Set(['/livez', '/healthz', '/readyz']);

/** The path of metrics. */
export const METRICS = '/metrics';

/** Returns true if a route is a probe: it tells if the service works, and nothing about anyone's work. */
export const isProbe = (route: string): boolean => PROBES.has(route);

/** Returns true if a route watches the service: probes and scrapes, which come often and are no work. */
export const isWatching = (route: string): boolean => isProbe(route) || route === METRICS;
