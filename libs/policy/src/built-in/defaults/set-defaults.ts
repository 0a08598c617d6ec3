import { formatQuantity, isJsonObject, parseQuantity, roundUpQuantity } from '#go';
import type { CancellationToken, JsonObject, JsonValue, QuantityRules } from '#go';
import { quantityRules } from '#kube';
import type { Minor } from '#kube';
import { Steps } from '../steps.ts';
import type { BuiltInKind } from '../table/built-in-kind.ts';
import type { GoType, MapType, StructType } from '../table/go-type.ts';
import type { Defaulter } from './defaulter.ts';
import { FIELD_DEFAULTS } from './field-defaults.ts';
import { fillEmpty, fillNil } from './fill.ts';
import {
  driverDefaults,
  limitRangeItemDefaults,
  namespaceDefaults,
  nodeSpecDefaults,
  nodeStatusDefaults,
  persistentVolumeDefaults,
  podStatusDefaults,
  secretDefaults,
  subjectDefaults,
} from './cluster-defaults.ts';
import { containerDefaults, podDefaults, podSpecDefaults, replicationControllerDefaults, volumeDefaults } from './pod-defaults.ts';
import { networkPolicyDefaults, serviceDefaults } from './network-defaults.ts';
import {
  autoscalerDefaults,
  daemonSetDefaults,
  daemonSetStrategyDefaults,
  deploymentStrategyDefaults,
  firstAutoscalerDefaults,
  jobDefaults,
  statefulSetDefaults,
  statefulSetStrategyDefaults,
} from './workload-defaults.ts';

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
