import { formatQuantity, isJsonObject, parseQuantity, roundUpQuantity, base64Text, newJsonObject, utf8Bytes } from '#go';
import type { CancellationToken, JsonObject, JsonValue, QuantityRules } from '#go';
import { quantityRules } from '#kube';
import type { Minor } from '#kube';
import { Steps } from '../steps.ts';
import type { BuiltInKind } from '../table/built-in-kind.ts';
import type { GoType, MapType, StructType } from '../table/go-type.ts';
import type { Defaulter } from './pod-defaults.ts';
import { childOf, FIELD_DEFAULTS, fillEmpty, fillEntries, fillNil, isEmpty, isNil, itemsOf, objectIn } from './field-defaults.ts';
import type { FieldValues } from './field-defaults.ts';
import {
  containerDefaults,
  podDefaults,
  podSpecDefaults,
  replicationControllerDefaults,
  volumeDefaults,
  takeLabels,
  templateLabels,
} from './pod-defaults.ts';
import { builtInHas } from '../minors.ts';

const ROLLING = 'RollingUpdate';
/** Largest int32. A job's backoff limit with this value means that only the limit per index applies. */
const MAX_INT32 = 2147483647;

/** Sets the defaults of a deployment's strategy: rolling update, with a quarter of the pods at a time. */
const deploymentStrategyDefaults: Defaulter = (strategy) => setRolling(strategy, { maxUnavailable: '25%', maxSurge: '25%' });

/** Sets the defaults of a daemon set's update strategy: rolling update, with one pod at a time. */
const daemonSetStrategyDefaults: Defaulter = (strategy) => setRolling(strategy, { maxUnavailable: 1, maxSurge: 0 });

/**
 * Sets an empty strategy type to rolling update. If the type is rolling update, missing fields of `rollingUpdate` get the values in
 * `defaults`. For any other type, missing fields of `rollingUpdate` become 0, because they are not pointers in the internal version.
 */
function setRolling(strategy: JsonObject, defaults: FieldValues): void {
  fillEmpty(strategy, { type: ROLLING });
  if (strategy['type'] === ROLLING) fillNil(objectIn(strategy, 'rollingUpdate'), defaults);
  else fillNil(childOf(strategy, 'rollingUpdate') ?? newJsonObject(), { maxUnavailable: 0, maxSurge: 0 });
}

/**
 * Adds the annotation with the template generation of a daemon set. The template generation is no longer a field. Source: kubernetes
 * pkg/apis/apps/v1/conversion.go.
 */
const daemonSetDefaults: Defaulter = (daemonSet) => {
  fillEntries(objectIn(daemonSet, 'metadata'), 'annotations', { 'deprecated.daemonset.template.generation': '0' });
};

/**
 * Sets the defaults of a stateful set's update strategy: rolling update from partition 0. If the strategy contains only a type,
 * `rollingUpdate` is not added.
 */
const statefulSetStrategyDefaults: Defaulter = (strategy, minor) => {
  if (isEmpty(strategy['type'])) {
    fillEmpty(strategy, { type: ROLLING });
    objectIn(strategy, 'rollingUpdate');
  }
  const rolling = childOf(strategy, 'rollingUpdate');
  if (rolling === undefined) return;
  fillNil(rolling, { partition: 0 });
  if (strategy['type'] === ROLLING && builtInHas(minor, 'statefulSetsHaveMaxUnavailable')) fillNil(rolling, { maxUnavailable: 1 });
};

/**
 * Sets the defaults of a stateful set: the retention policy of its claims is `Retain`. Also sets `apiVersion` and `kind` of its claim
 * templates. Source: kubernetes pkg/apis/apps/v1/conversion.go.
 */
const statefulSetDefaults: Defaulter = (spec) => {
  for (const claim of itemsOf(spec, 'volumeClaimTemplates')) Object.assign(claim, { apiVersion: 'v1', kind: 'PersistentVolumeClaim' });
  fillEmpty(objectIn(spec, 'persistentVolumeClaimRetentionPolicy'), { whenDeleted: 'Retain', whenScaled: 'Retain' });
};

/** Sets the defaults of a job, such as one completion if neither `completions` nor `parallelism` is set. */
const jobDefaults: Defaulter = (job) => {
  const spec = childOf(job, 'spec');
  if (spec === undefined) return;
  if (isNil(spec['completions']) && isNil(spec['parallelism'])) fillNil(spec, { completions: 1 });
  fillNil(spec, {
    parallelism: 1,
    backoffLimit: isNil(spec['backoffLimitPerIndex']) ? 6 : MAX_INT32,
    completionMode: 'NonIndexed',
    suspend: false,
    podReplacementPolicy: isNil(spec['podFailurePolicy']) ? 'TerminatingOrFailed' : 'Failed',
    manualSelector: false,
  });
  const labels = templateLabels(spec);
  if (labels !== undefined) takeLabels(job, labels);
};

const CPU_METRIC = { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } };
const UP_POLICIES = [
  { type: 'Pods', value: 4, periodSeconds: 15 },
  { type: 'Percent', value: 100, periodSeconds: 15 },
];
const DOWN_POLICIES = [{ type: 'Percent', value: 100, periodSeconds: 15 }];

/**
 * Sets the defaults of an autoscaler. If it has no metrics, it scales by CPU utilization. If it has a `behavior`, missing scaling rules are
 * added for scaling up and for scaling down.
 */
const autoscalerDefaults: Defaulter = (spec) => {
  fillEmpty(spec, { metrics: [CPU_METRIC] });
  const behavior = childOf(spec, 'behavior');
  if (behavior === undefined) return;
  fillNil(objectIn(behavior, 'scaleUp'), { stabilizationWindowSeconds: 0, selectPolicy: 'Max', policies: UP_POLICIES });
  fillNil(objectIn(behavior, 'scaleDown'), { selectPolicy: 'Max', policies: DOWN_POLICIES });
};

/** Annotation in which autoscaling/v1 stores the metrics for which autoscaling/v1 has no field. */
const METRICS = 'autoscaling.alpha.kubernetes.io/metrics';

/**
 * Sets the default of an autoscaling/v1 autoscaler: if it has no metrics, it scales by CPU utilization. Source: kubernetes
 * pkg/apis/autoscaling/v1/conversion.go.
 */
const firstAutoscalerDefaults: Defaulter = (autoscaler) => {
  const spec = childOf(autoscaler, 'spec');
  const annotations = childOf(childOf(autoscaler, 'metadata'), 'annotations');
  if (spec !== undefined && annotations?.[METRICS] === undefined) fillNil(spec, { targetCPUUtilizationPercentage: 80 });
};

/** Sets the label `kubernetes.io/metadata.name` of a namespace to the namespace's name. */
const namespaceDefaults: Defaulter = (namespace) => {
  const metadata = childOf(namespace, 'metadata');
  const name = metadata?.['name'];
  if (metadata === undefined || typeof name !== 'string' || name === '') return;
  delete childOf(metadata, 'labels')?.['kubernetes.io/metadata.name'];
  fillEntries(metadata, 'labels', { 'kubernetes.io/metadata.name': name });
};

/** Sets the allocatable resources of a node to the node's whole capacity if no allocatable resources are set. */
const nodeStatusDefaults: Defaulter = (status) => {
  if (isEmpty(status['allocatable'])) fillEntries(status, 'allocatable', childOf(status, 'capacity'));
};

/**
 * Sets the defaults of a container limit. The default limit is the maximum. The default request is the default limit or, if there is none,
 * the minimum.
 */
const limitRangeItemDefaults: Defaulter = (item) => {
  if (item['type'] !== 'Container') return;
  fillEntries(item, 'default', childOf(item, 'max'));
  fillEntries(item, 'defaultRequest', childOf(item, 'default'));
  fillEntries(item, 'defaultRequest', childOf(item, 'min'));
};

/**
 * Sets the API group of an RBAC subject to `rbac.authorization.k8s.io` if the subject is a user or a group. Service accounts keep the core
 * group.
 */
const subjectDefaults: Defaulter = (subject) => {
  if (subject['kind'] === 'User' || subject['kind'] === 'Group') fillEmpty(subject, { apiGroup: 'rbac.authorization.k8s.io' });
};

/** Moves the texts in `stringData` of a secret to `data`, encoded as base64. Source: kubernetes pkg/apis/core/v1/conversion.go. */
const secretDefaults: Defaulter = (secret) => {
  const texts = childOf(secret, 'stringData');
  delete secret['stringData'];
  for (const [key, text] of Object.entries(texts ?? {})) {
    if (typeof text === 'string') objectIn(secret, 'data')[key] = base64Text(utf8Bytes(text));
  }
};

/** Sets the default of a storage driver: pods may be scheduled to nodes without the driver. */
const driverDefaults: Defaulter = (spec, minor) => {
  if (builtInHas(minor, 'driversKeepPodsAway')) fillNil(spec, { preventPodSchedulingIfMissing: false });
};

/** Sets `podIP` and the first element of `podIPs` of a pod to the same value. If they differ, `podIP` takes precedence. */
const podStatusDefaults: Defaulter = (status) => {
  const [first] = itemsOf(status, 'podIPs');
  if (isEmpty(status['podIP'])) {
    if (first !== undefined && !isEmpty(first['ip'])) status['podIP'] = first['ip'] ?? '';
  } else if (first?.['ip'] !== status['podIP']) status['podIPs'] = [Object.assign(newJsonObject(), { ip: status['podIP'] })];
};

/** Sets `podCIDR` and the first element of `podCIDRs` of a node to the same value. If they differ, `podCIDR` takes precedence. */
const nodeSpecDefaults: Defaulter = (spec) => {
  const ranges = spec['podCIDRs'];
  const first = Array.isArray(ranges) ? ranges[0] : undefined;
  if (isEmpty(spec['podCIDR'])) {
    if (typeof first === 'string' && first !== '') spec['podCIDR'] = first;
  } else if (first !== spec['podCIDR']) spec['podCIDRs'] = [spec['podCIDR'] ?? ''];
};

/**
 * Sets the defaults of a persistent volume: the reclaim policy `Retain` and the volume mode `Filesystem`. Volumes without a spec are not
 * changed.
 */
const persistentVolumeDefaults: Defaulter = (volume) => {
  const spec = childOf(volume, 'spec');
  if (spec === undefined) return;
  fillEmpty(spec, { persistentVolumeReclaimPolicy: 'Retain' });
  fillNil(spec, { volumeMode: 'Filesystem' });
};

/** Default timeout of session affinity in seconds: a client is connected to the same pod for three hours. */
const CLIENT_IP_SECONDS = 10_800;

/** Sets the defaults of a service: its type, ports, session affinity and traffic policies. */
const serviceDefaults: Defaulter = (service) => {
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
const networkPolicyDefaults: Defaulter = (spec) => {
  fillEmpty(spec, { policyTypes: isEmpty(spec['egress']) ? ['Ingress'] : ['Ingress', 'Egress'] });
};

/** Functions that set defaults, by the name of the struct. These defaults depend on other fields. */
const DEFAULTERS: ReadonlyMap<string, Defaulter> = new Map([
  ['core/v1.Pod', podDefaults],
  ['core/v1.PodSpec', podSpecDefaults],
  ['core/v1.Container', containerDefaults],
  ['core/v1.EphemeralContainer', containerDefaults],
  ['core/v1.Volume', volumeDefaults],
  ['core/v1.PodStatus', podStatusDefaults],
  ['core/v1.NodeSpec', nodeSpecDefaults],
  ['core/v1.Service', serviceDefaults],
  ['core/v1.ReplicationController', replicationControllerDefaults],
  ['core/v1.Namespace', namespaceDefaults],
  ['core/v1.Secret', secretDefaults],
  ['core/v1.PersistentVolume', persistentVolumeDefaults],
  ['core/v1.NodeStatus', nodeStatusDefaults],
  ['core/v1.LimitRangeItem', limitRangeItemDefaults],
  ['apps/v1.DeploymentStrategy', deploymentStrategyDefaults],
  ['apps/v1.DaemonSet', daemonSetDefaults],
  ['apps/v1.DaemonSetUpdateStrategy', daemonSetStrategyDefaults],
  ['apps/v1.StatefulSetUpdateStrategy', statefulSetStrategyDefaults],
  ['apps/v1.StatefulSetSpec', statefulSetDefaults],
  ['batch/v1.Job', jobDefaults],
  ['autoscaling/v1.HorizontalPodAutoscaler', firstAutoscalerDefaults],
  ['autoscaling/v2.HorizontalPodAutoscalerSpec', autoscalerDefaults],
  ['networking/v1.NetworkPolicySpec', networkPolicyDefaults],
  ['rbac/v1.Subject', subjectDefaults],
  ['storage/v1.CSIDriverSpec', driverDefaults],
]);

/**
 * Changes an object returned by `readTyped` in place, like a server does before admission. It sets defaults from the outermost struct to
 * the innermost structs, and applies the conversions through the internal version. For example, the texts of a secret become data, and the
 * name of a service account is set in both of its fields. It supports the kinds that users write, in served versions. It does not set the
 * values that registry strategies and admission plugins set: cluster IPs, tolerations, generations, and (from Kubernetes 1.37) pod-level
 * resources. Throws `Cancelled` if the token is cancelled. Source: kubernetes pkg/apis/*\/defaults.go, conversion.go,
 * zz_generated.defaults.go (1.30 to 1.38).
 */
export function setDefaults(object: JsonObject, kind: BuiltInKind, minor: Minor, token?: CancellationToken): void {
  new DefaultsWalk(minor, new Steps(token)).struct(object, kind.type);
}

/** One traversal of an object along its Go types, which sets the defaults. */
class DefaultsWalk {
  readonly #minor: Minor;
  readonly #steps: Steps;

  constructor(minor: Minor, steps: Steps) {
    this.#minor = minor;
    this.#steps = steps;
  }

  struct(value: JsonObject, type: StructType): void {
    DEFAULTERS.get(type.name)?.(value, this.#minor);
    const fields = FIELD_DEFAULTS.get(type.name);
    if (fields?.nil !== undefined) fillNil(value, fields.nil);
    if (fields?.empty !== undefined) fillEmpty(value, fields.empty);
    for (const key of Object.keys(value)) {
      const field = type.fields.get(key);
      const child = value[key];
      if (field !== undefined && child !== undefined && child !== null) this.#value(child, field.type);
    }
  }

  #value(value: JsonValue, type: GoType): void {
    this.#steps.next();
    // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- other types have no parts
    switch (type.kind) {
      case 'pointer':
        return this.#value(value, type.to);
      case 'struct':
        if (isJsonObject(value)) this.struct(value, type);
        return;
      case 'list':
        if (Array.isArray(value)) for (const item of value) this.#value(item, type.of);
        return;
      case 'map':
        if (isJsonObject(value)) this.#map(value, type);
    }
  }

  #map(value: JsonObject, type: MapType): void {
    for (const key of Object.keys(value)) {
      const item = value[key] as JsonValue;
      this.#value(item, type.of);
      if (type.text === 'v1.ResourceList') value[key] = roundedUp(item, quantityRules(this.#minor));
    }
  }
}

/**
 * Scale of the smallest unit of resources, which is one thousandth. Finer quantities are rounded up. Source: kubernetes
 * pkg/apis/core/v1/defaults.go `SetDefaults_ResourceList`.
 */
const MILLI = -3;

function roundedUp(text: JsonValue, rules: QuantityRules): JsonValue {
  const parsed = parseQuantity(typeof text === 'string' ? text : '0', rules);
  return !parsed.ok || parsed.quantity.scale >= MILLI ? text : formatQuantity(roundUpQuantity(parsed.quantity, MILLI));
}
