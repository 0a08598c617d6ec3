import { isJsonObject } from '#go';
import type { JsonObject } from '#go';
import { builtInHas } from '../minors.ts';
import { childOf, fillEmpty, fillEntries, fillNil, isEmpty, isNil, itemsOf } from './fill.ts';
import { imageTag } from './image-tag.ts';
import { completePodResources } from './pod-resources.ts';
import type { Defaulter } from './defaulter.ts';

const pullPolicy = (image: unknown): string => (imageTag(typeof image === 'string' ? image : '') === 'latest' ? 'Always' : 'IfNotPresent');

/** A container, also an ephemeral one. */
export const containerDefaults: Defaulter = (container) => {
  fillEmpty(container, {
    imagePullPolicy: pullPolicy(container['image']),
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
  });
};

/** Fields of a volume that are no source. */
const NO_SOURCE: ReadonlySet<string> = new Set(['name']);

/** A volume without a source is an empty directory; an image's pull policy follows its tag. */
export const volumeDefaults: Defaulter = (volume, minor) => {
  if (Object.keys(volume).every((field) => NO_SOURCE.has(field) || isNil(volume[field]))) fillNil(volume, { emptyDir: {} });
  const image = childOf(volume, 'image');
  if (image !== undefined && builtInHas(minor, 'imageVolumesHavePolicy')) fillEmpty(image, { pullPolicy: pullPolicy(image['reference']) });
};

/**
 * Sets the defaults of pods that templates do not get. These are requests from limits, service links, host ports in the
 * host's network, and a grace period of one second instead of a negative one.
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

/** A pod's service account has two names, of which the older is deprecated. Source: kubernetes pkg/apis/core/v1/conversion.go. */
export const podSpecDefaults: Defaulter = (spec) => {
  const name = isEmpty(spec['serviceAccountName']) ? spec['serviceAccount'] : spec['serviceAccountName'];
  if (typeof name !== 'string' || name === '') return;
  spec['serviceAccountName'] = name;
  spec['serviceAccount'] = name;
};

/** Gives a controller the labels of its template as selector and labels, if it has none. */
export const replicationControllerDefaults: Defaulter = (controller) => {
  const spec = childOf(controller, 'spec');
  const labels = templateLabels(spec);
  if (spec === undefined || labels === undefined) return;
  if (isEmpty(spec['selector'])) fillEntries(spec, 'selector', labels);
  takeLabels(controller, labels);
};

/** Returns the labels of the pods of a template. */
export function templateLabels(spec: JsonObject | undefined): JsonObject | undefined {
  return childOf(childOf(childOf(spec, 'template'), 'metadata'), 'labels');
}

/** Gives labels to an object that has none. */
export function takeLabels(object: JsonObject, labels: JsonObject): void {
  const metadata = object['metadata'];
  if (isJsonObject(metadata) && isEmpty(metadata['labels'])) fillEntries(metadata, 'labels', labels);
}
