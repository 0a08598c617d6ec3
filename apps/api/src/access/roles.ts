import { METRICS } from '../health/watching.ts';

/** The roles of a client: begin evaluations and read its own; the same for studies; read and cancel everyone's; scrape metrics. */
export const ROLES = ['evaluate', 'benchmark', 'operate', 'scrape'] as const;

/** One of {@link ROLES}. */
export type Role = (typeof ROLES)[number];

/** Roles of a client for which none are named. */
export const DEFAULT_ROLES: readonly Role[] = ['evaluate'];

/** Returns the roles of which a client needs one for a matched route (never the path in the client's words). */
export function rolesFor(route: string | undefined, method: string): readonly Role[] {
  if (route === METRICS) return ['scrape'];
  if (/^\/benchmarks(?:\/|$)/.test(route ?? '')) return method === 'POST' ? ['benchmark'] : ['benchmark', 'operate'];
  return /^\/evaluations(?:\/|$)/.test(route ?? '') ? ['evaluate', 'operate'] : ['evaluate'];
}
