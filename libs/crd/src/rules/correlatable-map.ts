/** Maps whose keys are stable between updates. Source: k8s.io/apiserver/pkg/cel/common/equality.go (1.37). */
export function mapIsCorrelatable(mapType: string | undefined): boolean {
  return mapType === undefined || mapType === 'granular' || mapType === 'atomic';
}
