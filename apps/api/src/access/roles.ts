import { METRICS } from '../health/watching.ts';

/** What a client may do: begin evaluations and read its own; read and cancel those of all; scrape metrics. */
export const ROLES = ['evaluate', 'operate', 'scrape'] as const;

/** One of {@link ROLES}. */
export type Role = (typeof ROLES)[number];

/** Roles of a client for which none are named. */
export const DEFAULT_ROLES: readonly Role[] = ['evaluate'];

/** The roles of which a client needs one for a route, as it was matched (never the path as the client wrote it). */
export function rolesFor(route: string | undefined): readonly Role[] {
  if (route === METRICS) return ['scrape'];
  return /^\/evaluations(?:\/|$)/.test(route ?? '') ? ['evaluate', 'operate'] : ['evaluate'];
}
