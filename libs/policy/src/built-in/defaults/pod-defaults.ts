import { isJsonObject, addQuantities, compareQuantities, formatQuantity, newJsonObject, parseQuantity } from '#go';
import type { JsonObject, Quantity } from '#go';
import { builtInHas } from '../minors.ts';
import { childOf, fillEmpty, fillEntries, fillNil, isEmpty, isNil, itemsOf } from './field-defaults.ts';
import type { Minor } from '#kube';

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

const DOMAIN_PART = '(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])';
const DOMAIN = `(?:${DOMAIN_PART}(?:\\.${DOMAIN_PART})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?`;
const PATH_PART = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*';
const DIGEST = '[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}';
const REFERENCE = new RegExp(`^(${DOMAIN}/${PATH_PART}(?:/${PATH_PART})*)(?::(\\w[\\w.-]{0,127}))?(@${DIGEST})?$`);
const IDENTIFIER = /^[a-f0-9]{64}$/;
/** Maximum length of an image name, in characters. */
const MAX_NAME = 255;

/**
 * Returns the tag of an image in the same way as kubelet and API server. The tag is `latest` if the image has neither a tag nor a digest.
 * Returns undefined if the image has only a digest, or if the text is not an image name. Source: kubernetes pkg/util/parsers/parsers.go,
 * distribution/reference normalize.go, regexp.go.
 */
export function imageTag(image: string): string | undefined {
  if (IDENTIFIER.test(image)) return undefined;
  const slash = image.indexOf('/');
  const first = image.slice(0, Math.max(slash, 0));
  const hasDomain = slash >= 0 && (/[.:]/.test(first) || first === 'localhost' || first.toLowerCase() !== first);
  const match = REFERENCE.exec(hasDomain ? image : `docker.io/${slash < 0 ? 'library/' : ''}${image}`);
  if (match === null || (match[1] as string).length > MAX_NAME) return undefined;
  const [, , tag, digest] = match;
  return tag ?? (digest === undefined ? 'latest' : undefined);
}

const HUGE_PAGES = 'hugepages-';

/**
 * Returns true if a resource can be requested for a pod as a whole. Source: k8s.io/component-helpers/resource/helpers.go
 * `supportedPodLevelResources` (1.34).
 */
const isForPods = (name: string): boolean => name === 'cpu' || name === 'memory' || name.startsWith(HUGE_PAGES);

/**
 * Completes the resources that are requested for a pod as a whole. Limits of huge pages are computed from the containers. If the pod has
 * limits, its missing requests are computed from the requests of its containers. Requests that are still missing are copied from the
 * limits. Source: kubernetes pkg/apis/core/v1/defaults.go `defaultHugePagePodLimits`, `defaultPodRequests` (1.34).
 */
function completePodResources(spec: JsonObject): void {
  const resources = childOf(spec, 'resources');
  if (resources === undefined || (isEmpty(resources['limits']) && isEmpty(resources['requests']))) return;
  const requested = childOf(resources, 'requests');
  const pages = (name: string): boolean => name.startsWith(HUGE_PAGES) && requested?.[name] === undefined;
  fillEntries(resources, 'limits', only(needs(spec, 'limits'), pages));
  if (isEmpty(resources['limits'])) return;
  fillEntries(
    resources,
    'requests',
    only(needs(spec, 'requests'), (name) => isForPods(name) && !name.startsWith(HUGE_PAGES)),
  );
  fillEntries(resources, 'requests', only(childOf(resources, 'limits'), isForPods));
}

function only(resources: JsonObject | undefined, keeps: (name: string) => boolean): JsonObject {
  const kept = newJsonObject();
  for (const [name, amount] of Object.entries(resources ?? {})) if (keeps(name)) kept[name] = amount;
  return kept;
}

/**
 * Returns the maximum resources that the containers of a pod need at any time. This is the larger of two amounts. One amount is the sum
 * over all containers. The other is the highest need of an init container together with the sidecars that started before it. Source:
 * k8s.io/component-helpers/resource/helpers.go `AggregateContainerRequests` (1.34).
 */
function needs(spec: JsonObject, kind: 'requests' | 'limits'): JsonObject {
  const of = (container: JsonObject): JsonObject => childOf(childOf(container, 'resources'), kind) ?? newJsonObject();
  const together = newJsonObject();
  const staying = newJsonObject();
  const initializing = newJsonObject();
  for (const container of itemsOf(spec, 'containers')) addTo(together, of(container));
  for (const container of itemsOf(spec, 'initContainers')) {
    const needed = only(of(container), () => true);
    if (container['restartPolicy'] === 'Always') {
      addTo(together, needed);
      addTo(staying, needed);
      raiseTo(initializing, staying);
    } else {
      addTo(needed, staying);
      raiseTo(initializing, needed);
    }
  }
  raiseTo(together, initializing);
  return together;
}

function addTo(sums: JsonObject, amounts: JsonObject): void {
  for (const [name, amount] of Object.entries(amounts)) {
    const known = sums[name];
    sums[name] = known === undefined ? amount : formatQuantity(addQuantities(quantity(known), quantity(amount)));
  }
}

function raiseTo(greatest: JsonObject, amounts: JsonObject): void {
  for (const [name, amount] of Object.entries(amounts)) {
    const known = greatest[name];
    if (known === undefined || compareQuantities(quantity(amount), quantity(known)) > 0) greatest[name] = amount;
  }
}

/**
 * Parses a quantity of a decoded object by the exact rules, because only Kubernetes 1.34 to 1.36 complete resources before admission. Throws
 * if the quantity is invalid, which cannot happen because decoding rejects invalid quantities.
 */
function quantity(text: unknown): Quantity {
  const parsed = parseQuantity(typeof text === 'string' ? text : '0', 'exact');
  if (!parsed.ok) throw new Error(`${String(text)}: ${parsed.error}`);
  return parsed.quantity;
}

/** Function that sets the defaults in the value of a struct. It changes the value in place. */
export type Defaulter = (value: JsonObject, minor: Minor) => void;
