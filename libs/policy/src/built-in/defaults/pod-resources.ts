import { addQuantities, compareQuantities, formatQuantity, newJsonObject, parseQuantity } from '#go';
import type { JsonObject, Quantity } from '#go';
import { childOf, fillEntries, isEmpty, itemsOf } from './fill.ts';

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
export function completePodResources(spec: JsonObject): void {
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
