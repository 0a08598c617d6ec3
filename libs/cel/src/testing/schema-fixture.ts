import { EMPTY_SCHEMA } from '../values/schema/value-schema.ts';
import type { ValueSchema } from '../values/schema/value-schema.ts';

/** Schema in the short form that specs write. Only the necessary properties are given, and `properties` is a plain object. */
export interface SchemaFixture extends Partial<Omit<ValueSchema, 'properties' | 'items' | 'additionalProperties'>> {
  readonly properties?: Readonly<Record<string, SchemaFixture>>;
  readonly items?: SchemaFixture;
  readonly additionalProperties?: SchemaFixture;
}

/** Returns the complete schema that a fixture describes. */
export function schemaOf({ properties, items, additionalProperties, ...rest }: SchemaFixture): ValueSchema {
  return {
    ...EMPTY_SCHEMA,
    ...rest,
    properties: properties && new Map(Object.entries(properties).map(([name, property]) => [name, schemaOf(property)])),
    items: items && schemaOf(items),
    additionalProperties: additionalProperties && schemaOf(additionalProperties),
  };
}
