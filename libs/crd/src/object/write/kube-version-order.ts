const VERSION = /^v(\d+)(?:(alpha|beta)(\d+))?$/;
/** Exclusive upper limit of the numbers in a version name, as for an int64. A name with a larger number is not a Kubernetes version. */
const INT64 = 2n ** 63n;

/**
 * Returns the stability, major number and minor number of a version, or undefined if the name is not a Kubernetes version. The name `v01`
 * is a version and equals `v1`.
 */
function rank(version: string): readonly [stability: bigint, major: bigint, minor: bigint] | undefined {
  const match = VERSION.exec(version);
  if (match === null) return undefined;
  const stability = match[2] === undefined ? 2n : match[2] === 'beta' ? 1n : 0n;
  const [major, minor] = [BigInt(match[1] as string), BigInt(match[3] ?? 0)];
  return major < INT64 && minor < INT64 ? [stability, major, minor] : undefined;
}

/**
 * Compares API versions by maturity: v2 > v1 > v1beta1 > v1alpha1 > all other names. Other names are ordered by text in descending order.
 * Source: k8s.io/apimachinery/pkg/version/helpers.go `CompareKubeAwareVersionStrings` (1.37).
 */
export function compareKubeVersions(a: string, b: string): number {
  if (a === b) return 0;
  const rankA = rank(a);
  const rankB = rank(b);
  if (rankA === undefined && rankB === undefined) return a < b ? 1 : -1;
  if (rankA === undefined) return -1;
  if (rankB === undefined) return 1;
  for (let i = 0; i < 3; i++) {
    const [ofA, ofB] = [rankA[i] as bigint, rankB[i] as bigint];
    if (ofA !== ofB) return ofA < ofB ? -1 : 1;
  }
  return 0;
}
