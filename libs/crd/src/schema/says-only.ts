import type { SchemaProps } from './schema-props.ts';

/** Names of keywords, as {@link SchemaProps} has them. */
export type Keywords = ReadonlySet<keyof SchemaProps>;

/** Keywords that ask nothing of a value by themselves: annotations, and what pruning, defaulting and rules look at. */
const SILENT = [
  'id',
  'schema',
  'description',
  'title',
  'default',
  'example',
  'externalDocs',
  'type',
  'nullable',
  'preserveUnknownFields',
  'embeddedResource',
  'intOrString',
  'listType',
  'listMapKeys',
  'mapType',
  'rules',
] as const satisfies readonly (keyof SchemaProps)[];

/** Returns the silent keywords and some more. */
export function silentAnd(...keywords: readonly (keyof SchemaProps)[]): Keywords {
  return new Set([...SILENT, ...keywords]);
}

/**
 * Returns true if a schema node uses no keyword beyond `known`. Each fast way to judge a value names the keywords that it has code for and asks this first: a
 * keyword that it does not know sends the value to the exact way.
 */
export function saysOnly(props: SchemaProps, known: Keywords): boolean {
  return Object.entries(props).every(([keyword, value]) => isAbsent(value) || known.has(keyword as keyof SchemaProps));
}

/** Absent strings are empty, absent flags false, absent lists empty. */
const isAbsent = (value: unknown): boolean =>
  value === undefined || value === '' || value === false || (Array.isArray(value) && value.length === 0);
