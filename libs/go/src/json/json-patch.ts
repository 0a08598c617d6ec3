import { isJsonObject } from './value.ts';
import type { JsonObject, JsonValue } from './value.ts';

/** Result of applying patches: the patched document, or the error of the first patch that could not be applied. */
export type PatchResult = { readonly ok: true; readonly document: JsonValue } | { readonly ok: false; readonly error: string };

class PatchError extends Error {}

const unescapePointer = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~');

function copy(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(copy);
  if (!isJsonObject(value)) return value;
  const out: JsonObject = Object.create(Object.getPrototypeOf(value) as object) as JsonObject;
  for (const key of Object.keys(value)) out[key] = copy(value[key] as JsonValue);
  return out;
}

/**
 * Returns the object or list that contains the value at a JSON pointer, and the value's key in it. Throws PatchError if this object or list
 * does not exist.
 */
function parentOf(document: JsonValue, pointer: string): { parent: JsonValue; key: string } {
  const parts = pointer.split('/').slice(1).map(unescapePointer);
  const key = parts.pop();
  if (key === undefined) throw new PatchError(`unusable path ${pointer}`);
  let parent = document;
  for (const part of parts) {
    const next: JsonValue | undefined = Array.isArray(parent) ? parent[Number(part)] : isJsonObject(parent) ? parent[part] : undefined;
    if (next === undefined) throw new PatchError(`path ${pointer} does not exist`);
    parent = next;
  }
  return { parent, key };
}

function get(document: JsonValue, pointer: string): JsonValue {
  if (pointer === '') return document;
  const { parent, key } = parentOf(document, pointer);
  const value = Array.isArray(parent) ? parent[Number(key)] : isJsonObject(parent) ? parent[key] : undefined;
  if (value === undefined) throw new PatchError(`path ${pointer} does not exist`);
  return value;
}

function add(document: JsonValue, pointer: string, value: JsonValue): JsonValue {
  if (pointer === '') return value;
  const { parent, key } = parentOf(document, pointer);
  if (Array.isArray(parent)) parent.splice(key === '-' ? parent.length : Number(key), 0, value);
  else if (isJsonObject(parent)) parent[key] = value;
  else throw new PatchError(`path ${pointer} does not exist`);
  return document;
}

function remove(document: JsonValue, pointer: string): void {
  get(document, pointer);
  const { parent, key } = parentOf(document, pointer);
  if (Array.isArray(parent)) parent.splice(Number(key), 1);
  else delete (parent as JsonObject)[key];
}

function applyOne(document: JsonValue, patch: JsonObject): JsonValue {
  const path = String(patch['path']);
  const value = patch['value'] ?? null;
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- users write the operation
  switch (patch['op']) {
    case 'add':
      return add(document, path, copy(value));
    case 'remove':
      remove(document, path);
      return document;
    case 'replace': {
      if (path === '') return copy(value);
      get(document, path);
      const { parent, key } = parentOf(document, path);
      if (Array.isArray(parent)) parent[Number(key)] = copy(value);
      else (parent as JsonObject)[key] = copy(value);
      return document;
    }
    case 'copy':
      return add(document, path, copy(get(document, String(patch['from']))));
    case 'move': {
      const moved = get(document, String(patch['from']));
      remove(document, String(patch['from']));
      return add(document, path, moved);
    }
    default:
      throw new PatchError(`operation ${String(patch['op'])} is not known`);
  }
}

/** Applies RFC 6902 patches to a copy of a document. */
export function applyPatches(document: JsonValue, patches: JsonValue): PatchResult {
  let patched = copy(document);
  try {
    for (const patch of Array.isArray(patches) ? patches : []) patched = applyOne(patched, patch as JsonObject);
  } catch (error) {
    if (error instanceof PatchError) return { ok: false, error: `crdPatches: ${error.message}` };
    throw error;
  }
  return { ok: true, document: patched };
}
