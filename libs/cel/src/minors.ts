import { minorNumber, MINORS } from '#kube';
import type { Minor } from '#kube';
import { LANGUAGE_DIFFERENCES } from './differences/language.ts';
import { PRICE_DIFFERENCES } from './differences/prices.ts';
import { VALUE_DIFFERENCES } from './differences/values.ts';

/**
 * All differences in CEL between minor versions of the server. Declarations of functions and type names contain their own version ranges
 * instead (`since`, `removedIn`, `binarySince`, `replacedIn`).
 *
 * To add a minor version, read this list and extend its parts; `minors.spec.ts` names every entry.
 */
export const DIFFERENCES = { ...VALUE_DIFFERENCES, ...PRICE_DIFFERENCES, ...LANGUAGE_DIFFERENCES };

/** Name of an entry in `DIFFERENCES`. */
export type DifferenceName = keyof typeof DIFFERENCES;

/**
 * Versions of a server on which the behaviour of expressions depends, as numbers after the dot. `server` is the server's minor version.
 * `compatibility` is the compatibility version, which selects the offered features.
 */
export interface Release {
  readonly server: number;
  readonly compatibility: number;
}

/**
 * Returns the minor version and the compatibility version that determine how a server of the given minor version treats new or stored
 * expressions. New expressions may use only features that the previous minor version knows too.
 */
export function releaseOf(minor: Minor, use: 'new' | 'stored' = 'stored'): Release {
  const number = minorNumber(minor);
  return { server: number, compatibility: use === 'new' ? number - 1 : number };
}

/**
 * Returns true if a Kubernetes release has the behaviour that the entry `change` of `DIFFERENCES` introduced. Returns false if it has the
 * older behaviour.
 */
export function has(release: Release, change: DifferenceName): boolean {
  const { by, since } = DIFFERENCES[change];
  return release[by] >= since;
}

/**
 * Returns true if stored expressions on a server of the given minor version have the behaviour that the entry `change` of `DIFFERENCES`
 * introduced. Returns false if they have the older behaviour.
 */
export function expressionsHave(minor: Minor, change: DifferenceName): boolean {
  return has(releaseOf(minor), change);
}

/** Versions of Kubernetes in which a declaration, such as a CEL function, is available. */
export interface Dates {
  /**
   * Compatibility versions of the declaration: `since` is the first version that offers it, and `removedIn` is the first later version without
   * it.
   */
  readonly since: number;
  readonly removedIn?: number | undefined;
  /**
   * Minor versions of the server for the declaration: `binarySince` is the first minor version that offers it, and `replacedIn` is the
   * first later minor version without it.
   */
  readonly binarySince?: Minor | undefined;
  readonly replacedIn?: Minor | undefined;
}

/** Compatibility version of new expressions on the oldest supported minor version. */
const OLDEST_COMPATIBILITY = minorNumber(MINORS[0]) - 1;

/**
 * Versions that limit a declaration or type name. Only the value of `since` is read. The values of the other properties do not matter, only
 * their presence.
 */
type SomeDates = Pick<Dates, 'since'> & Partial<Readonly<Record<Exclude<keyof Dates, 'since'>, unknown>>>;

/**
 * Returns true if only some of the supported Kubernetes versions have a declaration (such as a function) or type name. If the result is
 * false, all supported versions have it.
 */
export function isDated({ since, removedIn, binarySince, replacedIn }: SomeDates): boolean {
  return since > OLDEST_COMPATIBILITY || removedIn !== undefined || binarySince !== undefined || replacedIn !== undefined;
}

/**
 * Returns true if `release` offers a declaration. The second argument contains the versions that introduced and removed the declaration.
 */
export function offers(release: Release, { since, removedIn, binarySince, replacedIn }: Dates): boolean {
  if (binarySince !== undefined && minorNumber(binarySince) > release.server) return false;
  if (replacedIn !== undefined && minorNumber(replacedIn) <= release.server) return false;
  return since <= release.compatibility && (removedIn === undefined || release.compatibility < removedIn);
}
