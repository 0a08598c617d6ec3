import { METRICS } from '../health/watching.ts';

/** The roles of a client: begin evaluations and read its own; read and cancel everyone's; scrape metrics. */
export const ROLES = ['evaluate', 'operate', 'scrape'] as const;

/** One of {@link ROLES}. */
export type Role = (typeof ROLES)[number];

/** Roles of a client for which none are named. */
export const DEFAULT_ROLES: readonly Role[] = ['evaluate'];

/** Returns the roles of which a client needs one for a matched route (never the path in the client's words). */
export function rolesFor(route: string | undefined): readonly Role[] {
  if (route === METRICS) return ['scrape'];
  return /^\/evaluations(?:\/|$)/.test(route ?? '') ? ['evaluate', 'operate'] : ['evaluate'];
}
