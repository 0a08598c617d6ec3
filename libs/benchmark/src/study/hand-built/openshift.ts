import type { HandBuilt } from './hand-built.ts';
import { listOf, numberedText } from './hand-built.ts';

const COMPONENTS = ['BitwardenSDKServer', 'ExternalSecretsCoreController'];
const policy = (i: number, componentName: string | undefined) => ({
  name: numberedText(i, 253),
  componentName: componentName ?? '',
  egress: [],
});
const secretsConfig = (networkPolicies: ReturnType<typeof policy>[]) => ({
  apiVersion: 'operator.openshift.io/v1alpha1',
  kind: 'ExternalSecretsConfig',
  metadata: { name: 'cluster' },
  spec: { controllerConfig: { networkPolicies } },
});

/**
 * Number of revisions that remain in the update. For each remaining revision, the rule searches the list twice up to that revision. For
 * each removed revision, it searches the whole list once. This number results in the highest cost.
 */
const KEPT = 3;
const revision = (i: number) => ({ name: numberedText(i, 255), revision: i, contentID: 'a' });
const clusterApi = (numbers: readonly number[]) => ({
  apiVersion: 'operator.openshift.io/v1alpha1',
  kind: 'ClusterAPI',
  metadata: { name: 'cluster' },
  spec: {},
  status: { desiredRevision: revision(Math.max(...numbers)).name, revisions: numbers.map(revision) },
});

/**
 * Hand-built create and update requests that make rules of OpenShift's operators expensive. Tests compare them with the requests that the
 * search of a study finds.
 */
export const OPENSHIFT: readonly HandBuilt[] = [
  {
    file: 'crds/openshift__external-secrets-operator/externalsecretsconfigs.operator.openshift.io.yaml',
    version: 'v1alpha1',
    path: 'properties[spec].properties[controllerConfig].properties[networkPolicies].x-kubernetes-validations[0]',
    object: () => secretsConfig(listOf(50, (i) => policy(i >> 1, COMPONENTS[i % 2]))),
    old: () => secretsConfig(listOf(50, (i) => policy(i >> 1, COMPONENTS[i % 2]))),
    end: 'accepted',
    cost: 44_224,
    note: 'Each old policy is found, at another place each. Two policies share a name, so that the component is compared once more for half of them.',
  },
  {
    file: 'crds/openshift__api/clusterapis.operator.openshift.io.yaml',
    version: 'v1alpha1',
    path: 'properties[status].properties[revisions].x-kubernetes-validations[3]',
    object: () => clusterApi([...listOf(16 - KEPT, (i) => 100 + i), ...listOf(KEPT, (i) => 1 + i)]),
    old: () => clusterApi(listOf(16, (i) => 1 + i)),
    end: 'accepted',
    cost: 9033,
    note: 'Removed revisions are sought in the whole list. The few that stay stand at its end and are sought twice. Sibling rules order the numbers.',
  },
  {
    file: 'crds/openshift__api/consoleplugins.console.openshift.io.yaml',
    version: 'v1',
    path: 'properties[spec].properties[contentSecurityPolicy].items.properties[values].x-kubernetes-validations[0]',
    object: () => ({
      apiVersion: 'console.openshift.io/v1',
      kind: 'ConsolePlugin',
      metadata: { name: 'a' },
      spec: {
        displayName: 'a',
        backend: { type: 'Service' },
        contentSecurityPolicy: ['DefaultSrc', 'ScriptSrc', 'StyleSrc', 'ImgSrc', 'FontSrc'].map((directive, list) => ({
          directive,
          values: listOf(16, (i) => numberedText(i, list === 0 && i < 11 ? 111 : 101)),
        })),
      },
    }),
    end: 'accepted',
    cost: 17_411,
    note: 'A sibling rule bounds all texts together: 8191 characters. Lengths of 10n + 1 are most expensive, because tenths are rounded up.',
  },
  {
    file: 'crds/openshift__hypershift/ingresscontrollers.operator.openshift.io.yaml',
    version: 'v1',
    path: 'properties[spec].properties[httpHeaders].properties[actions].properties[request].x-kubernetes-validations[0]',
    object: () => ({
      apiVersion: 'operator.openshift.io/v1',
      kind: 'IngressController',
      metadata: { name: 'a', namespace: 'a' },
      spec: {
        httpHeaders: {
          actions: {
            request: listOf(20, (i) => ({ name: String(i), action: { type: 'Set', set: { value: 'a'.repeat(16_384) } } })),
          },
        },
      },
    }),
    end: 'call',
    cost: 1_049_221,
    note: 'Twenty headers with values as long as may be, all of which the long pattern is applied to.',
  },
];
