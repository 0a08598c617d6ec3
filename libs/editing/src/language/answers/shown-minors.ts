import { MINORS, minorWords } from '#kube';
import type { Minor } from '#kube';

/** Returns Kubernetes minor versions as text for display. Consecutive minor versions are shown as a range (`1.30 – 1.32, 1.35`), previews with their pre-release. */
export function shownMinors(minors: readonly Minor[]): string {
  const runs: Minor[][] = [];
  for (const minor of MINORS.filter((one) => minors.includes(one))) {
    const run = runs.at(-1);
    if (run !== undefined && MINORS.indexOf(minor) === MINORS.indexOf(run.at(-1) as Minor) + 1) run.push(minor);
    else runs.push([minor]);
  }
  return runs.map((run) => (run.length === 1 ? minorWords(run[0] as Minor) : `${run[0]} – ${minorWords(run.at(-1) as Minor)}`)).join(', ');
}

/**
 * Returns the first Kubernetes minor version in which new expressions may use a feature. `compatibility` is the compatibility version, such
 * as 32, that introduced the feature, and the result is the next minor version. Returns undefined if new expressions may use the feature in
 * all supported minor versions.
 */
export function firstMinorOf(compatibility: number): Minor | undefined {
  const first = MINORS.find((minor) => Number(minor.slice(2)) - 1 >= compatibility);
  return first === MINORS[0] ? undefined : first;
}
