import type { HandBuilt } from './hand-built.ts';
import { listOf } from './hand-built.ts';

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/**
 * Returns distinct names of ports. Names of one letter come first because they have the highest cost per byte, then names of two letters.
 */
const portNames = (number: number): string[] => [...LETTERS, ...listOf(number - LETTERS.length, (i) => `a${LETTERS.charAt(i)}`)];

/**
 * Expensive test objects that a person built for rules in definitions of network projects. Each is compared with the most expensive object
 * that the automatic search finds for the same rule.
 */
export const NETWORKS: readonly HandBuilt[] = [
  {
    file: 'crds/ovn-kubernetes__ovn-kubernetes/vteps.k8s.ovn.org.yaml',
    version: 'v1',
    path: 'properties[spec].properties[cidrs].x-kubernetes-validations[0]',
    object: () => ({
      apiVersion: 'k8s.ovn.org/v1',
      kind: 'VTEP',
      metadata: { name: 'a' },
      spec: { cidrs: listOf(20, (i) => `2001:0db8:aaaa:aaaa:aaaa:aaaa:aaaa:${String(1000 + i)}/128`) },
    }),
    end: 'accepted',
    cost: 15_802,
    note: 'Twenty networks in the longest spelling, with prefixes of all bytes, none of which holds another.',
  },
  {
    file: 'crds/istio__api/serviceentries.networking.istio.io.yaml',
    version: 'v1',
    path: 'properties[spec].properties[endpoints].items.properties[ports].x-kubernetes-validations[0]',
    object: () => ({
      apiVersion: 'networking.istio.io/v1',
      kind: 'ServiceEntry',
      metadata: { name: 'a', namespace: 'a' },
      spec: {
        hosts: ['a'],
        resolution: 'STATIC',
        endpoints: listOf(4096, (i) => ({
          network: '',
          ports: Object.fromEntries(portNames(i < 688 ? 109 : 108).map((name) => [name, 1])),
        })),
      },
    }),
    end: 'accepted',
    cost: 7_983_200,
    note: 'As many endpoints as may be, for names of one letter are cheapest in bytes and each endpoint has them all. The request bounds the rest.',
  },
  {
    file: 'crds/kubernetes-sigs__cluster-api-provider-ibmcloud/ibmvpcclustertemplates.infrastructure.cluster.x-k8s.io.yaml',
    version: 'v1beta2',
    path: 'properties[spec].properties[template].properties[spec].properties[network].properties[securityGroups].items.properties[rules].items.properties[destination].properties[remotes].items.x-kubernetes-validations[3]',
    object: () => ({
      apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
      kind: 'IBMVPCClusterTemplate',
      metadata: { name: 'a', namespace: 'a' },
      spec: {
        template: {
          spec: {
            region: 'a',
            resourceGroup: 'a',
            network: {
              securityGroups: [
                {
                  id: 'a',
                  rules: [
                    {
                      direction: 'outbound',
                      destination: { protocol: 'all', remotes: listOf(68_597, () => ({ remoteType: 'sg', securityGroupName: '' })) },
                    },
                  ],
                },
              ],
            },
          },
        },
      },
    }),
    end: 'accepted',
    cost: 548_776,
    note: 'The discriminator is the one that the rule speaks of. The request alone bounds the number of remotes.',
  },
];
