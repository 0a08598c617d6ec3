/**
 * Returns true if new and old values of a map can be correlated by key. This is true if the map type is granular, atomic or absent. Source:
 * k8s.io/apiserver/pkg/cel/common/equality.go (1.37).
 */
export function mapIsCorrelatable(mapType: string | undefined): boolean {
  return mapType === undefined || mapType === 'granular' || mapType === 'atomic';
}
