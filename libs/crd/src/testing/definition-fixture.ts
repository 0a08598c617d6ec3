import type { JsonObject, JsonValue } from '#go';
import { readJson } from '#go';
import { customDefinition } from '../../../../testing/custom-definition.ts';

const copy = (value: unknown): JsonValue => {
  const reading = readJson(JSON.stringify(value));
  if (!reading.ok) throw new Error(reading.error);
  return reading.value;
};

/** A definition of widgets in one version, with a status, around a schema of the spec. */
export function widgetDefinition(spec: unknown, more: Readonly<Record<string, unknown>> = {}): JsonObject {
  const status = { type: 'object', properties: { count: { type: 'integer' } } };
  const schema = { type: 'object', properties: { spec, status }, ...more };
  return copy(customDefinition({ kind: 'Widget', subresources: { status: {} }, schema })) as JsonObject;
}

/** A widget with a spec. */
export function widget(spec: unknown, more: Readonly<Record<string, unknown>> = {}): JsonObject {
  return copy({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'one' }, spec, ...more }) as JsonObject;
}
