import type { HandBuilt } from './hand-built.ts';
import { listOf, numberedText } from './hand-built.ts';

const TIME = '2026-01-01T00:00:00Z';
const condition = (status: string) => ({
  lastTransitionTime: TIME,
  lastUpdateTime: TIME,
  message: '',
  reason: '',
  status,
  type: 'BootstrappedWithExistingCluster',
});
const etcd = {
  apiVersion: 'druid.gardener.cloud/v1alpha1',
  kind: 'Etcd',
  metadata: { name: 'a', namespace: 'a' },
  spec: {
    backup: {},
    labels: {},
    replicas: 1,
    etcd: {
      bootstrapWithExistingCluster: {
        clientEndpoints: ['http://b'],
        members: listOf(10, (i) => ({ name: `b${String(i)}`, peerUrls: ['http://b'] })),
      },
    },
  },
};

/**
 * Hand-built write requests that test rules in the definitions of platform projects such as Crossplane. The rules are about names, labels,
 * selectors, image references and conditions.
 */
export const PLATFORMS: readonly HandBuilt[] = [
  {
    file: 'crds/crossplane__crossplane/compositeresourcedefinitions.apiextensions.crossplane.io.yaml',
    version: 'v1',
    path: 'properties[spec].properties[claimNames].x-kubernetes-validations[1]',
    object: () => ({
      apiVersion: 'apiextensions.crossplane.io/v1',
      kind: 'CompositeResourceDefinition',
      metadata: { name: 'a' },
      spec: {
        group: 'a',
        names: { kind: 'a', plural: 'a' },
        claimNames: { kind: 'a', plural: 'a'.repeat(2_949_781) },
        versions: [],
      },
    }),
    end: 'accepted',
    cost: 589_962,
    note: 'The plural has no greatest length, so the request bounds it.',
  },
  {
    file: 'crds/Kong__kong-operator/konnectgatewaycontrolplanes.konnect.konghq.com.yaml',
    version: 'v1alpha1',
    path: 'properties[spec].x-kubernetes-validations[4]',
    object: () => ({
      apiVersion: 'konnect.konghq.com/v1alpha1',
      kind: 'KonnectGatewayControlPlane',
      metadata: { name: 'a', namespace: 'a' },
      spec: {
        name: 'a',
        konnect: { authRef: { name: 'a' } },
        labels: Object.fromEntries(listOf(40, (i) => [numberedText(i, 63), 'a'])),
      },
    }),
    end: 'accepted',
    cost: 3524,
    note: 'Sibling rules allow forty labels and keys of 63 characters.',
  },
  {
    file: 'crds/gardener__etcd-druid/etcds.druid.gardener.cloud.yaml',
    version: 'v1alpha1',
    path: 'x-kubernetes-validations[2]',
    object: () => etcd,
    old: () => ({ ...etcd, status: { conditions: [...listOf(17_873, () => condition('a')), condition('False')] } }),
    end: 'accepted',
    cost: 232_391,
    note: 'The write keeps the old status. All of its conditions have the type that the rule seeks, and only the last one has the state.',
  },
  {
    file: 'crds/kubefleet-dev__kubefleet/clusterresourceplacements.placement.kubernetes-fleet.io.yaml',
    version: 'v1',
    path: 'properties[spec].x-kubernetes-validations[4]',
    object: () => ({
      apiVersion: 'placement.kubernetes-fleet.io/v1',
      kind: 'ClusterResourcePlacement',
      metadata: { name: 'a' },
      spec: {
        resourceSelectors: [
          { group: '', version: 'v1', kind: 'Namespace', name: 'a', selectionScope: 'NamespaceWithResourceSelectors' },
          ...listOf(99, () => ({ group: '', version: 'v2', kind: 'Namespace' })),
        ],
      },
    }),
    end: 'accepted',
    cost: 1655,
    note: 'One selector makes the rule filter twice. A sibling rule wants that all others fail; they do so at their version.',
  },
  {
    file: 'crds/operator-framework__operator-controller/clustercatalogs.olm.operatorframework.io.yaml',
    version: 'v1',
    path: 'properties[spec].properties[source].properties[image].properties[ref].x-kubernetes-validations[7]',
    object: () => ({
      apiVersion: 'olm.operatorframework.io/v1',
      kind: 'ClusterCatalog',
      metadata: { name: 'a' },
      spec: { source: { type: 'Image', image: { ref: `a/b@c:${'0'.repeat(994)}` } } },
    }),
    end: 'accepted',
    cost: 705,
    note: 'A digest may be as long as the reference; nearly all of it is digest, which the last pattern reads once more.',
  },
];
