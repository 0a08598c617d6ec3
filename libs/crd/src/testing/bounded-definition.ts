import { copyJson, isJsonObject } from '#go';
import type { JsonObject, JsonValue } from '#go';
import type { BoundChange } from '../explain/bounds.ts';

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
