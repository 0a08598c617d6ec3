import { base64Text, newJsonObject, utf8Bytes } from '#go';
import { builtInHas } from '../minors.ts';
import type { Defaulter } from './defaulter.ts';
import { childOf, fillEmpty, fillEntries, fillNil, isEmpty, itemsOf, objectIn } from './fill.ts';

/** A namespace with a name has it as a label. */
export const namespaceDefaults: Defaulter = (namespace) => {
  const metadata = childOf(namespace, 'metadata');
  const name = metadata?.['name'];
  if (metadata === undefined || typeof name !== 'string' || name === '') return;
  delete childOf(metadata, 'labels')?.['kubernetes.io/metadata.name'];
  fillEntries(metadata, 'labels', { 'kubernetes.io/metadata.name': name });
};

/** A node may give away all that it has. */
export const nodeStatusDefaults: Defaulter = (status) => {
  if (isEmpty(status['allocatable'])) fillEntries(status, 'allocatable', childOf(status, 'capacity'));
};

/** A container's limits default to the most, its requests to limits, then to the least. */
export const limitRangeItemDefaults: Defaulter = (item) => {
  if (item['type'] !== 'Container') return;
  fillEntries(item, 'default', childOf(item, 'max'));
  fillEntries(item, 'defaultRequest', childOf(item, 'default'));
  fillEntries(item, 'defaultRequest', childOf(item, 'min'));
};

/** Users and groups belong to the group of access rules, service accounts to the core group. */
export const subjectDefaults: Defaulter = (subject) => {
  if (subject['kind'] === 'User' || subject['kind'] === 'Group') fillEmpty(subject, { apiGroup: 'rbac.authorization.k8s.io' });
};

/** Converts a secret's texts to data. Source: kubernetes pkg/apis/core/v1/conversion.go. */
export const secretDefaults: Defaulter = (secret) => {
  const texts = childOf(secret, 'stringData');
  delete secret['stringData'];
  for (const [key, text] of Object.entries(texts ?? {})) {
    if (typeof text === 'string') objectIn(secret, 'data')[key] = base64Text(utf8Bytes(text));
  }
};

/** A driver of storage does not keep pods from nodes that lack it. */
export const driverDefaults: Defaulter = (spec, minor) => {
  if (builtInHas(minor, 'driversKeepPodsAway')) fillNil(spec, { preventPodSchedulingIfMissing: false });
};

/** Completes the first address of a pod, which is in `podIP` and in the list of all. If they differ, `podIP` wins. */
export const podStatusDefaults: Defaulter = (status) => {
  const [first] = itemsOf(status, 'podIPs');
  if (isEmpty(status['podIP'])) {
    if (first !== undefined && !isEmpty(first['ip'])) status['podIP'] = first['ip'] ?? '';
  } else if (first?.['ip'] !== status['podIP']) status['podIPs'] = [Object.assign(newJsonObject(), { ip: status['podIP'] })];
};

/** The first range of a node's pods, alone and in the list of all. */
export const nodeSpecDefaults: Defaulter = (spec) => {
  const ranges = spec['podCIDRs'];
  const first = Array.isArray(ranges) ? ranges[0] : undefined;
  if (isEmpty(spec['podCIDR'])) {
    if (typeof first === 'string' && first !== '') spec['podCIDR'] = first;
  } else if (first !== spec['podCIDR']) spec['podCIDRs'] = [spec['podCIDR'] ?? ''];
};

/**
 * Sets the defaults of a volume: it is retained after its claim is deleted, and is a filesystem. Volumes without a spec
 * of their own stay unchanged.
 */
export const persistentVolumeDefaults: Defaulter = (volume) => {
  const spec = childOf(volume, 'spec');
  if (spec === undefined) return;
  fillEmpty(spec, { persistentVolumeReclaimPolicy: 'Retain' });
  fillNil(spec, { volumeMode: 'Filesystem' });
};
