import { base64Text, newJsonObject, utf8Bytes } from '#go';
import { builtInHas } from '../minors.ts';
import type { Defaulter } from './defaulter.ts';
import { childOf, fillEmpty, fillEntries, fillNil, isEmpty, itemsOf, objectIn } from './fill.ts';

/** Sets the label `kubernetes.io/metadata.name` of a namespace to the namespace's name. */
export const namespaceDefaults: Defaulter = (namespace) => {
  const metadata = childOf(namespace, 'metadata');
  const name = metadata?.['name'];
  if (metadata === undefined || typeof name !== 'string' || name === '') return;
  delete childOf(metadata, 'labels')?.['kubernetes.io/metadata.name'];
  fillEntries(metadata, 'labels', { 'kubernetes.io/metadata.name': name });
};

/** Sets the allocatable resources of a node to the node's whole capacity if no allocatable resources are set. */
export const nodeStatusDefaults: Defaulter = (status) => {
  if (isEmpty(status['allocatable'])) fillEntries(status, 'allocatable', childOf(status, 'capacity'));
};

/**
 * Sets the defaults of a container limit. The default limit is the maximum. The default request is the default limit or, if there is none,
 * the minimum.
 */
export const limitRangeItemDefaults: Defaulter = (item) => {
  if (item['type'] !== 'Container') return;
  fillEntries(item, 'default', childOf(item, 'max'));
  fillEntries(item, 'defaultRequest', childOf(item, 'default'));
  fillEntries(item, 'defaultRequest', childOf(item, 'min'));
};

/**
 * Sets the API group of an RBAC subject to `rbac.authorization.k8s.io` if the subject is a user or a group. Service accounts keep the core
 * group.
 */
export const subjectDefaults: Defaulter = (subject) => {
  if (subject['kind'] === 'User' || subject['kind'] === 'Group') fillEmpty(subject, { apiGroup: 'rbac.authorization.k8s.io' });
};

/** Moves the texts in `stringData` of a secret to `data`, encoded as base64. Source: kubernetes pkg/apis/core/v1/conversion.go. */
export const secretDefaults: Defaulter = (secret) => {
  const texts = childOf(secret, 'stringData');
  delete secret['stringData'];
  for (const [key, text] of Object.entries(texts ?? {})) {
    if (typeof text === 'string') objectIn(secret, 'data')[key] = base64Text(utf8Bytes(text));
  }
};

/** Sets the default of a storage driver: pods may be scheduled to nodes without the driver. */
export const driverDefaults: Defaulter = (spec, minor) => {
  if (builtInHas(minor, 'driversKeepPodsAway')) fillNil(spec, { preventPodSchedulingIfMissing: false });
};

/** Sets `podIP` and the first element of `podIPs` of a pod to the same value. If they differ, `podIP` takes precedence. */
export const podStatusDefaults: Defaulter = (status) => {
  const [first] = itemsOf(status, 'podIPs');
  if (isEmpty(status['podIP'])) {
    if (first !== undefined && !isEmpty(first['ip'])) status['podIP'] = first['ip'] ?? '';
  } else if (first?.['ip'] !== status['podIP']) status['podIPs'] = [Object.assign(newJsonObject(), { ip: status['podIP'] })];
};

/** Sets `podCIDR` and the first element of `podCIDRs` of a node to the same value. If they differ, `podCIDR` takes precedence. */
export const nodeSpecDefaults: Defaulter = (spec) => {
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
export const persistentVolumeDefaults: Defaulter = (volume) => {
  const spec = childOf(volume, 'spec');
  if (spec === undefined) return;
  fillEmpty(spec, { persistentVolumeReclaimPolicy: 'Retain' });
  fillNil(spec, { volumeMode: 'Filesystem' });
};
