/**
 * Returns true if a map of this map type keeps its keys between updates, so that old and new values can be correlated by key. Source:
 * k8s.io/apiserver/pkg/cel/common/equality.go (1.37).
 */
export function mapIsCorrelatable(mapType: string | undefined): boolean {
  return mapType === undefined || mapType === 'granular' || mapType === 'atomic';
}
