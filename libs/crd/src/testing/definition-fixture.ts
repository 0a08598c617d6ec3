import { readJson, copyJson, isJsonObject } from '#go';
import type { JsonObject, JsonValue } from '#go';
import { customDefinition } from '../../../../testing/custom-definition.ts';
import type { BoundChange } from '../explain/bounds.ts';

const copy = (value: unknown): JsonValue => {
  const reading = readJson(JSON.stringify(value));
  if (!reading.ok) throw new Error(reading.error);
  return reading.value;
};

const STATUS = { type: 'object', properties: { count: { type: 'integer' } } };

/**
 * Returns a definition of widgets with one version, which has a status subresource. `spec` is the schema of the field `spec`; `more` adds
 * keywords to the schema of the whole object.
 */
export function widgetDefinition(spec: unknown, more: Readonly<Record<string, unknown>> = {}): JsonObject {
  const schema = { type: 'object', properties: { spec, status: STATUS }, ...more };
  return copy(customDefinition({ kind: 'Widget', subresources: { status: {} }, schema })) as JsonObject;
}

/**
 * Returns a definition of widgets with one version. `schema` is the schema of the whole object; `more` adds other fields to the version,
 * such as subresources.
 */
export function definitionOfSchema(schema: object, more: { readonly subresources?: object } = {}): JsonObject {
  return copy(customDefinition({ kind: 'Widget', schema, ...more })) as JsonObject;
}

/**
 * Returns a definition of widgets in which the given fields replace fields of its spec and its metadata. The given names are merged with
 * the existing names.
 */
export function definitionWith({ names, ...spec }: Readonly<Record<string, unknown>>, metadata: object = {}): JsonObject {
  const plain = customDefinition({ kind: 'Widget', schema: { type: 'object' } });
  return copy({
    ...plain,
    metadata: { ...plain.metadata, ...metadata },
    spec: { ...plain.spec, ...spec, names: { ...plain.spec.names, ...(names as object | undefined) } },
  }) as JsonObject;
}

/**
 * Returns a version of a definition. The version is served and stored, and its schema declares the fields `spec` and `status`. `more`
 * overrides fields of the version.
 */
export function versionWith(more: object = {}): object {
  const spec = { type: 'object', properties: { a: { type: 'string' }, list: { type: 'array', items: { type: 'string' } } } };
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec, status: STATUS } } };
  return { name: 'v1', served: true, storage: true, schema, ...more };
}

/** Returns a widget with a spec. */
export function widget(spec: unknown, more: Readonly<Record<string, unknown>> = {}): JsonObject {
  return copy({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'one' }, spec, ...more }) as JsonObject;
}

/** Returns a widget without a spec. The given fields are added to its metadata. */
export function widgetNamed(metadata: object): JsonObject {
  return copy({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'one', ...metadata } }) as JsonObject;
}

/** Returns a copy of a definition with changed bounds in one version: the named one, or the first one. */
export function boundedDefinition(definition: JsonObject, changes: readonly BoundChange[], version?: string): JsonObject {
  const copy = copyJson(definition);
  const versions = member(member(copy, 'spec'), 'versions');
  const named = Array.isArray(versions) ? versions.find((one) => version === undefined || member(one, 'name') === version) : undefined;
  for (const { bound, value } of changes) {
    let node = member(member(named, 'schema'), 'openAPIV3Schema');
    for (const step of bound.path)
      node = step.kind === 'property' ? member(member(node, 'properties'), step.name) : member(node, step.kind);
    if (!isJsonObject(node)) throw new Error(`there is no ${bound.fields}`);
    node[bound.keyword] = Number(value);
  }
  if (!isJsonObject(copy)) throw new Error('a definition is an object');
  return copy;
}

const member = (value: JsonValue | undefined, key: string): JsonValue | undefined =>
  value !== undefined && isJsonObject(value) ? value[key] : undefined;
