import type { Structural } from './structural.ts';

/** True when the schema holds an embedded resource somewhere; found once per definition so that most objects skip those walks. */
export function hasEmbedded(schema: Structural | undefined): boolean {
  if (schema === undefined) return false;
  if (schema.embeddedResource || hasEmbedded(schema.items) || hasEmbedded(schema.additionalProperties)) return true;
  for (const property of schema.properties?.values() ?? []) if (hasEmbedded(property)) return true;
  return false;
}

/** True when the schema holds a list of type set or map somewhere. */
export function hasListTypes(schema: Structural | undefined): boolean {
  if (schema === undefined) return false;
  if (schema.listType === 'set' || schema.listType === 'map') return true;
  if (hasListTypes(schema.items) || hasListTypes(schema.additionalProperties)) return true;
  for (const property of schema.properties?.values() ?? []) if (hasListTypes(property)) return true;
  return false;
}
