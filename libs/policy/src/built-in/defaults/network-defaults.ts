import type { JsonObject } from '#go';
import type { Defaulter } from './defaulter.ts';
import { childOf, fillEmpty, fillNil, isEmpty, isNil, itemsOf } from './fill.ts';

/** Default timeout of session affinity in seconds: a client is connected to the same pod for three hours. */
const CLIENT_IP_SECONDS = 10_800;

/** Sets the defaults of a service: its type, ports, session affinity and traffic policies. */
export const serviceDefaults: Defaulter = (service) => {
  const spec = childOf(service, 'spec');
  if (spec === undefined) return;
  fillEmpty(spec, { sessionAffinity: 'None', type: 'ClusterIP' });
  setSessionAffinity(spec);
  for (const port of itemsOf(spec, 'ports')) {
    fillEmpty(port, { protocol: 'TCP' });
    if (isEmpty(port['targetPort'])) port['targetPort'] = port['port'] ?? 0;
  }
  const type = spec['type'];
  if (isExternal(spec)) fillEmpty(spec, { externalTrafficPolicy: 'Cluster' });
  if (type === 'NodePort' || type === 'LoadBalancer' || type === 'ClusterIP') fillNil(spec, { internalTrafficPolicy: 'Cluster' });
  if (type !== 'LoadBalancer') return;
  fillNil(spec, { allocateLoadBalancerNodePorts: true });
  for (const ingress of itemsOf(childOf(childOf(service, 'status'), 'loadBalancer'), 'ingress')) {
    if (!isEmpty(ingress['ip'])) fillNil(ingress, { ipMode: 'VIP' });
  }
};

function setSessionAffinity(spec: JsonObject): void {
  if (spec['sessionAffinity'] === 'None') delete spec['sessionAffinityConfig'];
  if (spec['sessionAffinity'] !== 'ClientIP') return;
  if (!isNil(childOf(childOf(spec, 'sessionAffinityConfig'), 'clientIP')?.['timeoutSeconds'])) return;
  delete spec['sessionAffinityConfig'];
  fillNil(spec, { sessionAffinityConfig: { clientIP: { timeoutSeconds: CLIENT_IP_SECONDS } } });
}

/** Returns true if clients outside the cluster can reach a service. */
function isExternal(spec: JsonObject): boolean {
  const type = spec['type'];
  return type === 'LoadBalancer' || type === 'NodePort' || (type === 'ClusterIP' && !isEmpty(spec['externalIPs']));
}

/** Sets the policy types of a network policy: `Ingress`, and also `Egress` if the policy has egress rules. */
export const networkPolicyDefaults: Defaulter = (spec) => {
  fillEmpty(spec, { policyTypes: isEmpty(spec['egress']) ? ['Ingress'] : ['Ingress', 'Egress'] });
};
