import { METRICS } from '../health/watching.ts';

/**
 * Roles of a client. `evaluate`: starts evaluations and reads its own evaluations. `benchmark`: starts studies of rules and reads its own
 * studies. `operate`: reads and cancels the evaluations and studies of all clients. `scrape`: reads metrics.
 */
export const ROLES = ['evaluate', 'benchmark', 'operate', 'scrape'] as const;

/** Role of a client, one of {@link ROLES}. */
export type Role = (typeof ROLES)[number];

/** Roles of a client whose key or token lists no roles. */
export const DEFAULT_ROLES: readonly Role[] = ['evaluate'];

/**
 * Returns the roles that may use a route. A client needs only one role from this list. `route` is the route pattern of the router, never
 * the raw path of the request.
 */
export function rolesFor(route: string | undefined, method: string): readonly Role[] {
  if (route === METRICS) return ['scrape'];
  if (/^\/benchmarks(?:\/|$)/.test(route ?? '')) return method === 'POST' ? ['benchmark'] : ['benchmark', 'operate'];
  return /^\/evaluations(?:\/|$)/.test(route ?? '') ? ['evaluate', 'operate'] : ['evaluate'];
}
