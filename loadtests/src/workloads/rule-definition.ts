import type { JsonObject } from '#go';
import { largeDefinition } from './judging.ts';

/** Returns a schema with rules. */
export function withRules(schema: object, rules: readonly string[]): object {
  return { ...schema, 'x-kubernetes-validations': rules.map((rule) => ({ rule })) };
}

/** Returns a definition whose spec has so many fields of the same schema, `field0` and on. */
export function fieldsDefinition(count: number, schema: (index: number) => object): JsonObject {
  const properties = Object.fromEntries(Array.from({ length: count }, (_, i) => [`field${i}`, schema(i)]));
  return largeDefinition({ spec: { type: 'object', properties } });
}
