import { METRICS } from '../health/watching.ts';

/** The roles of a client: begin evaluations and read its own; the same for studies; read and cancel everyone's; scrape metrics. */
export const ROLES = ['evaluate', 'benchmark', 'operate', 'scrape'] as const;

/** One of {@link ROLES}. */
export type Role = (typeof ROLES)[number];

/** Roles of a client for which none are named. */
export const DEFAULT_ROLES: readonly Role[] = ['evaluate'];

/** Returns the roles that may use a route; a client needs one of them. `route` is the pattern of the router, never the raw path of the request. */
export function rolesFor(route: string | undefined, method: string): readonly Role[] {
  if (route === METRICS) return ['scrape'];
  if (/^\/benchmarks(?:\/|$)/.test(route ?? '')) return method === 'POST' ? ['benchmark'] : ['benchmark', 'operate'];
  return /^\/evaluations(?:\/|$)/.test(route ?? '') ? ['evaluate', 'operate'] : ['evaluate'];
}
