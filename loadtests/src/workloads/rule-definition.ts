import type { JsonObject } from '#go';
import { largeDefinition } from './judging.ts';

/** Returns a copy of a schema with rules added. */
export function withRules(schema: object, rules: readonly string[]): object {
  return { ...schema, 'x-kubernetes-validations': rules.map((rule) => ({ rule })) };
}

/** Returns a definition whose spec has `count` fields named `field0`, `field1` and so on. `schema` returns the schema of each field. */
export function fieldsDefinition(count: number, schema: (index: number) => object): JsonObject {
  const properties = Object.fromEntries(Array.from({ length: count }, (_, i) => [`field${i}`, schema(i)]));
  return largeDefinition({ spec: { type: 'object', properties } });
}
