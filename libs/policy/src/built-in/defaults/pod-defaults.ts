import { isJsonObject } from '#go';
import type { JsonObject } from '#go';
import { builtInHas } from '../minors.ts';
import { childOf, fillEmpty, fillEntries, fillNil, isEmpty, isNil, itemsOf } from './fill.ts';
import { imageTag } from './image-tag.ts';
import { completePodResources } from './pod-resources.ts';
import type { Defaulter } from './defaulter.ts';

const pullPolicy = (image: unknown): string => (imageTag(typeof image === 'string' ? image : '') === 'latest' ? 'Always' : 'IfNotPresent');

/**
 * Sets the defaults of a container or ephemeral container: the pull policy of its image, and the path and policy of its termination
 * message.
 */
export const containerDefaults: Defaulter = (container) => {
  fillEmpty(container, {
    imagePullPolicy: pullPolicy(container['image']),
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
  });
};

/** Fields of a volume that are not volume sources. */
const NO_SOURCE: ReadonlySet<string> = new Set(['name']);

/**
 * Sets the defaults of a volume. A volume without a source becomes an empty directory. The pull policy of an image volume depends on the
 * image's tag.
 */
export const volumeDefaults: Defaulter = (volume, minor) => {
  if (Object.keys(volume).every((field) => NO_SOURCE.has(field) || isNil(volume[field]))) fillNil(volume, { emptyDir: {} });
  const image = childOf(volume, 'image');
  if (image !== undefined && builtInHas(minor, 'imageVolumesHavePolicy')) fillEmpty(image, { pullPolicy: pullPolicy(image['reference']) });
};

/**
 * Sets the defaults that apply to pods but not to pod templates. Requests are copied from limits, and service links are enabled. If the pod
 * uses the host's network, host ports are copied from container ports. A negative grace period becomes one second.
 */
export const podDefaults: Defaulter = (pod, minor) => {
  const spec = childOf(pod, 'spec');
  if (spec === undefined) return;
  const period = spec['terminationGracePeriodSeconds'];
  if ((typeof period === 'number' || typeof period === 'bigint') && period < 0) spec['terminationGracePeriodSeconds'] = 1;
  const containers = [...itemsOf(spec, 'containers'), ...itemsOf(spec, 'initContainers')];
  for (const container of containers) {
    const resources = childOf(container, 'resources');
    if (resources !== undefined) fillEntries(resources, 'requests', childOf(resources, 'limits'));
  }
  if (builtInHas(minor, 'podsHaveResources') && !builtInHas(minor, 'podResourcesWait')) completePodResources(spec);
  fillNil(spec, { enableServiceLinks: true });
  if (spec['hostNetwork'] === true) for (const container of containers) fillHostPorts(container);
};

function fillHostPorts(container: JsonObject): void {
  for (const port of itemsOf(container, 'ports')) {
    if (isEmpty(port['hostPort']) && !isEmpty(port['containerPort'])) port['hostPort'] = port['containerPort'] ?? 0;
  }
}

/**
 * Sets both fields for the name of a pod's service account to the same name. The field `serviceAccount` is deprecated. Source: kubernetes
 * pkg/apis/core/v1/conversion.go.
 */
export const podSpecDefaults: Defaulter = (spec) => {
  const name = isEmpty(spec['serviceAccountName']) ? spec['serviceAccount'] : spec['serviceAccountName'];
  if (typeof name !== 'string' || name === '') return;
  spec['serviceAccountName'] = name;
  spec['serviceAccount'] = name;
};

/** Sets the selector and the labels of a replication controller, if they are empty, to the labels of its pod template. */
export const replicationControllerDefaults: Defaulter = (controller) => {
  const spec = childOf(controller, 'spec');
  const labels = templateLabels(spec);
  if (spec === undefined || labels === undefined) return;
  if (isEmpty(spec['selector'])) fillEntries(spec, 'selector', labels);
  takeLabels(controller, labels);
};

/** Returns the labels of the pod template in a spec. Undefined if the template has no labels. */
export function templateLabels(spec: JsonObject | undefined): JsonObject | undefined {
  return childOf(childOf(childOf(spec, 'template'), 'metadata'), 'labels');
}

/** Sets the labels of an object to `labels` if the object has no labels. */
export function takeLabels(object: JsonObject, labels: JsonObject): void {
  const metadata = object['metadata'];
  if (isJsonObject(metadata) && isEmpty(metadata['labels'])) fillEntries(metadata, 'labels', labels);
}
