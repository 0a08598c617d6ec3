const VERSION = /^v([1-9][0-9]*)(?:(alpha|beta)([1-9][0-9]*))?$/;

function rank(version: string): readonly [stability: number, major: number, minor: number] | undefined {
  const match = VERSION.exec(version);
  if (match === null) return undefined;
  const stability = match[2] === undefined ? 2 : match[2] === 'beta' ? 1 : 0;
  return [stability, Number(match[1]), Number(match[3] ?? 0)];
}

/**
 * Compares API versions by maturity: v2 > v1 > v1beta1 > v1alpha1 > everything else (which is ordered backwards by text).
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
    const difference = (rankA[i] as number) - (rankB[i] as number);
    if (difference !== 0) return difference;
  }
  return 0;
}
