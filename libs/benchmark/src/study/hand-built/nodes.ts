import type { HandBuilt } from './hand-built.ts';
import { listOf, numberedText } from './hand-built.ts';

const DIGITS = '0123456789abcdefghij';

/**
 * Expensive test objects that a person built for rules about nodes and quotas, from Karpenter, Kueue and the autoscaler. Each is compared
 * with the most expensive object that the automatic search finds for the same rule.
 */
export const NODES: readonly HandBuilt[] = [
  {
    file: 'crds/aws__karpenter-provider-aws/ec2nodeclasses.karpenter.k8s.aws.yaml',
    version: 'v1',
    path: 'properties[spec].properties[networkInterfaces].x-kubernetes-validations[1]',
    object: () => ({
      apiVersion: 'karpenter.k8s.aws/v1',
      kind: 'EC2NodeClass',
      metadata: { name: 'a' },
      spec: {
        role: 'a',
        amiSelectorTerms: [{ alias: 'al2@latest' }],
        subnetSelectorTerms: [{ id: 'subnet-0' }],
        securityGroupSelectorTerms: [{ id: 'sg-0' }],
        networkInterfaces: [
          { networkCardIndex: 0, deviceIndex: 0, interfaceType: 'interface' },
          ...listOf(149, (i) => ({ networkCardIndex: i, deviceIndex: 1, interfaceType: 'efa-only' })),
        ],
      },
    }),
    end: 'accepted',
    cost: 231_445,
    note: 'All but the primary interface are efa-only, each alone on its card, so that both filters walk the whole list for them.',
  },
  {
    file: 'crds/Azure__karpenter-provider-azure/nodepools.karpenter.sh.yaml',
    version: 'v1',
    path: 'properties[spec].properties[template].properties[metadata].properties[labels].x-kubernetes-validations[0]',
    object: () => ({
      apiVersion: 'karpenter.sh/v1',
      kind: 'NodePool',
      metadata: { name: 'a' },
      spec: {
        template: {
          metadata: { labels: Object.fromEntries(listOf(100, (i) => [numberedText(i, i < 20 ? 29_500 : 29_490), ''])) },
          spec: { nodeClassRef: { group: 'a', kind: 'a', name: 'a' }, requirements: [] },
        },
      },
    }),
    end: 'accepted',
    cost: 590_842,
    note: 'Keys of labels have no bound, so the request bounds them. There are as many as may be.',
  },
  {
    file: 'crds/kubernetes-sigs__kueue/topologies.kueue.x-k8s.io.yaml',
    version: 'v1beta1',
    path: 'properties[spec].properties[levels].x-kubernetes-validations[1]',
    object: () => ({
      apiVersion: 'kueue.x-k8s.io/v1beta1',
      kind: 'Topology',
      metadata: { name: 'a' },
      spec: { levels: listOf(16, (i) => ({ nodeLabel: numberedText(i, 316) })) },
    }),
    end: 'accepted',
    cost: 1044,
    note: 'The rule wants unequal levels, so only their number counts: sixteen, each compared with all.',
  },
  {
    file: 'crds/kubernetes__autoscaler/capacityquotas.autoscaling.x-k8s.io.yaml',
    version: 'v1alpha1',
    path: 'properties[spec].properties[limits].properties[resources].x-kubernetes-validations[1]',
    object: () => ({
      apiVersion: 'autoscaling.x-k8s.io/v1alpha1',
      kind: 'CapacityQuota',
      metadata: { name: 'a' },
      spec: {
        limits: { resources: Object.fromEntries(listOf(20, (i) => [DIGITS.charAt(i), numberedText(1, i < 11 ? 147_491 : 147_481, '0')])) },
      },
    }),
    end: 'accepted',
    cost: 295_273,
    note: 'Quantities have a pattern but no greatest length: leading zeros fill the request, and the value stays the integer 1.',
  },
];
