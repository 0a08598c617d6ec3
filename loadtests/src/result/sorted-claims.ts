import type { ReportClaim } from './summary.ts';

/** Claims by whether the run decides them. */
export interface SortedClaims<C extends Pick<ReportClaim, 'verdict'>> {
  readonly decided: readonly C[];
  /** Undecided, or not measured. */
  readonly open: readonly C[];
}

/** Sorts claims by whether the run decides them, each in its order. */
export function sortClaims<C extends Pick<ReportClaim, 'verdict'>>(claims: readonly C[]): SortedClaims<C> {
  const isOpen = ({ verdict }: C): boolean => verdict === 'undecided' || verdict === 'not measured';
  return { decided: claims.filter((claim) => !isOpen(claim)), open: claims.filter(isOpen) };
}

/** Says how many of the decided claims hold, and how many are open: `3 of 4 decided claims hold, 2 are undecided, 1 was not measured`. */
export function claimsText(claims: readonly Pick<ReportClaim, 'verdict'>[]): string {
  if (claims.length === 0) return 'there are no claims';
  const { decided, open } = sortClaims(claims);
  const held = decided.filter(({ verdict }) => verdict === 'holds').length;
  const undecided = open.filter(({ verdict }) => verdict === 'undecided').length;
  const unmeasured = open.length - undecided;
  const parts = [
    decided.length === 0 ? 'no claim is decided by this run' : `${held} of ${decided.length} decided claims hold`,
    undecided === 0 ? undefined : `${undecided} ${undecided === 1 ? 'is' : 'are'} undecided`,
    unmeasured === 0 ? undefined : `${unmeasured} ${unmeasured === 1 ? 'was' : 'were'} not measured`,
  ];
  return parts.filter((part) => part !== undefined).join(', ');
}
