import type { JsonObject, JsonValue } from '#kube';
import { readJson } from '#kube';

const copy = (value: unknown): JsonValue => {
  const reading = readJson(JSON.stringify(value));
  if (!reading.ok) throw new Error(reading.error);
  return reading.value;
};

/** A definition of widgets in one version, with a status, around a schema of the spec. */
export function widgetDefinition(spec: unknown, more: Readonly<Record<string, unknown>> = {}): JsonObject {
  return copy({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: { spec, status: { type: 'object', properties: { count: { type: 'integer' } } } },
              ...more,
            },
          },
        },
      ],
    },
  }) as JsonObject;
}

/** A widget with a spec. */
export function widget(spec: unknown, more: Readonly<Record<string, unknown>> = {}): JsonObject {
  return copy({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'one' }, spec, ...more }) as JsonObject;
}
