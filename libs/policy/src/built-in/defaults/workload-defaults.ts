import { newJsonObject } from '#go';
import type { JsonObject } from '#go';
import { builtInHas } from '../minors.ts';
import type { Defaulter } from './defaulter.ts';
import { childOf, fillEmpty, fillEntries, fillNil, isEmpty, isNil, itemsOf, objectIn } from './fill.ts';
import type { FieldValues } from './fill.ts';
import { takeLabels, templateLabels } from './pod-defaults.ts';

const ROLLING = 'RollingUpdate';
/** Largest int32. A job's backoff limit with this value means that only the limit per index applies. */
const MAX_INT32 = 2147483647;

/** Sets the defaults of a deployment's strategy: rolling update, with a quarter of the pods at a time. */
export const deploymentStrategyDefaults: Defaulter = (strategy) => setRolling(strategy, { maxUnavailable: '25%', maxSurge: '25%' });

/** Sets the defaults of a daemon set's update strategy: rolling update, with one pod at a time. */
export const daemonSetStrategyDefaults: Defaulter = (strategy) => setRolling(strategy, { maxUnavailable: 1, maxSurge: 0 });

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
export const daemonSetDefaults: Defaulter = (daemonSet) => {
  fillEntries(objectIn(daemonSet, 'metadata'), 'annotations', { 'deprecated.daemonset.template.generation': '0' });
};

/**
 * Sets the defaults of a stateful set's update strategy: rolling update from partition 0. If the strategy contains only a type,
 * `rollingUpdate` is not added.
 */
export const statefulSetStrategyDefaults: Defaulter = (strategy, minor) => {
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
export const statefulSetDefaults: Defaulter = (spec) => {
  for (const claim of itemsOf(spec, 'volumeClaimTemplates')) Object.assign(claim, { apiVersion: 'v1', kind: 'PersistentVolumeClaim' });
  fillEmpty(objectIn(spec, 'persistentVolumeClaimRetentionPolicy'), { whenDeleted: 'Retain', whenScaled: 'Retain' });
};

/** Sets the defaults of a job, such as one completion if neither `completions` nor `parallelism` is set. */
export const jobDefaults: Defaulter = (job) => {
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
export const autoscalerDefaults: Defaulter = (spec) => {
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
export const firstAutoscalerDefaults: Defaulter = (autoscaler) => {
  const spec = childOf(autoscaler, 'spec');
  const annotations = childOf(childOf(autoscaler, 'metadata'), 'annotations');
  if (spec !== undefined && annotations?.[METRICS] === undefined) fillNil(spec, { targetCPUUtilizationPercentage: 80 });
};
