import type { HandBuilt } from './hand-built.ts';
import { listOf, numberedText } from './hand-built.ts';

const HTTP_ROUTES = 'suites/crds/kubernetes-sigs__gateway-api/gateway.networking.k8s.io_httproutes.yaml';
const LISTENER_SETS = 'crds/kubernetes-sigs__gateway-api/listenersets.gateway.networking.k8s.io.yaml';
const AGENT_BACKENDS = 'crds/agentgateway__agentgateway/agentgatewaybackends.agentgateway.dev.yaml';

const metadata = { name: 'a', namespace: 'a' };

/**
 * Rules in definitions of gateways, each with the most expensive write request that a person constructed for it. Each rule compares the
 * elements of a list with each other, or searches a text.
 */
export const GATEWAYS: readonly HandBuilt[] = [
  {
    file: HTTP_ROUTES,
    version: 'v1',
    path: 'properties[spec].properties[parentRefs].x-kubernetes-validations[1]',
    object: () => ({
      apiVersion: 'gateway.networking.k8s.io/v1',
      kind: 'HTTPRoute',
      metadata,
      spec: {
        parentRefs: listOf(32, (i) => ({
          group: 'a'.repeat(253),
          kind: 'a'.repeat(63),
          name: 'a'.repeat(253),
          namespace: 'a'.repeat(63),
          sectionName: numberedText(i, 253),
        })),
      },
    }),
    end: 'accepted',
    cost: 127_234,
    note: 'All pairs are compared. They differ in the last field alone, so that each comparison reads all fields. All texts are as long as may be.',
  },
  {
    file: HTTP_ROUTES,
    version: 'v1',
    path: 'properties[spec].properties[rules].items.properties[matches].items.properties[path].x-kubernetes-validations[10]',
    object: () => ({
      apiVersion: 'gateway.networking.k8s.io/v1',
      kind: 'HTTPRoute',
      metadata,
      spec: {
        rules: listOf(2, () => ({ matches: listOf(64, () => ({ path: { type: 'PathPrefix', value: `/${'a'.repeat(1023)}` } })) })),
      },
    }),
    end: 'accepted',
    cost: 185_088,
    note: 'A sibling rule allows 128 matches. Each has a path of the longest text, of a type that is searched.',
  },
  {
    file: LISTENER_SETS,
    version: 'v1',
    path: 'properties[spec].properties[listeners].x-kubernetes-validations[5]',
    object: () => ({
      apiVersion: 'gateway.networking.k8s.io/v1',
      kind: 'ListenerSet',
      metadata,
      spec: {
        parentRef: { name: 'a' },
        listeners: listOf(64, (i) => ({
          name: numberedText(i, 2),
          port: 1,
          protocol: 'a'.repeat(255),
          hostname: numberedText(i, 253),
        })),
      },
    }),
    end: 'accepted',
    cost: 279_170,
    note: 'All pairs have the same port and the same long protocol, so that their hostnames, as long as may be, are compared, too.',
  },
  {
    file: AGENT_BACKENDS,
    version: 'v1alpha1',
    path: 'properties[spec].properties[ai].properties[groups].items.properties[providers].x-kubernetes-validations[0]',
    object: () => ({
      apiVersion: 'agentgateway.dev/v1alpha1',
      kind: 'AgentgatewayBackend',
      metadata,
      spec: { ai: { groups: listOf(8, () => ({ providers: listOf(16, (i) => ({ name: numberedText(i, 253), openai: {} })) })) } },
    }),
    end: 'accepted',
    cost: 62_480,
    note: 'Eight groups of sixteen providers with names as long as may be. Each provider has the one kind that a union wants.',
  },
];
