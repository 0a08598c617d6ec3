const PROBES: ReadonlySet<string> = new Set(['/livez', '/healthz', '/readyz']);

/** Where metrics are scraped. */
export const METRICS = '/metrics';

/** Whether a route is a probe: it tells whether the service works, and nothing about anyone's work. */
export const isProbe = (route: string): boolean => PROBES.has(route);

/** Whether a route serves those who watch the service: probes and scrapes, which come often and are no work. */
export const isWatching = (route: string): boolean => isProbe(route) || route === METRICS;
