import { isJsonObject, newJsonObject } from '#go';
import type { JsonValue } from '#go';
import type { HeldObject } from './typed-object.ts';

/**
 * Metadata fields of a Namespace that expressions can read. Source: k8s.io/apiserver/pkg/admission/plugin/cel/condition.go
 * `CreateNamespaceObject` (1.37).
 */
const NAMESPACE_METADATA = [
  'name',
  'generateName',
  'namespace',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'labels',
  'annotations',
  'finalizers',
];

/** Returns the parts of a Namespace that expressions can read: some metadata, the spec and the status, without apiVersion and kind. */
export function shownNamespace({ object: namespace, type }: HeldObject): HeldObject {
  const metadata: JsonValue | undefined = namespace['metadata'];
  const shown = newJsonObject();
  for (const field of NAMESPACE_METADATA) {
    const value = isJsonObject(metadata) ? metadata[field] : undefined;
    if (value !== undefined) shown[field] = value;
  }
  const object = Object.assign(newJsonObject(), {
    metadata: shown,
    spec: namespace['spec'] ?? newJsonObject(),
    status: namespace['status'] ?? newJsonObject(),
  });
  return { object, type };
}
