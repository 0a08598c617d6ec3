import type { JsonObject } from '#go';
import { emptySchema } from '../../../libs/crd/src/schema/empty-schema.ts';
import { encodeSchema } from '../../../libs/crd/src/schema/encode-schema.ts';
import type { SchemaProps } from '../../../libs/crd/src/schema/schema-props.ts';
import type { Extensions, NestedValidation, Structural, ValueValidation } from '../../../libs/crd/src/structural/structural.ts';

function mapValues<A, B>(map: ReadonlyMap<string, A> | undefined, change: (value: A) => B): Map<string, B> | undefined {
  return map && new Map([...map].map(([key, value]) => [key, change(value)] as const));
}

const branches = (v: ValueValidation): Pick<SchemaProps, 'allOf' | 'anyOf' | 'oneOf' | 'not'> => ({
  allOf: v.allOf.map(nestedProps),
  anyOf: v.anyOf.map(nestedProps),
  oneOf: v.oneOf.map(nestedProps),
  not: v.not && nestedProps(v.not),
});

const items = (schema: SchemaProps | undefined): SchemaProps['items'] => schema && { schema, schemas: [] };

const extensions = (x: Extensions) => ({ ...x, preserveUnknownFields: x.preserveUnknownFields || undefined });

function props(s: Structural): SchemaProps {
  return {
    ...emptySchema(),
    ...s,
    ...extensions(s),
    ...branches(s),
    items: items(s.items && props(s.items)),
    properties: mapValues(s.properties, props),
    additionalProperties:
      s.additionalPropertiesAllowed === undefined
        ? undefined
        : { allows: s.additionalPropertiesAllowed, schema: s.additionalProperties && props(s.additionalProperties) },
  };
}

function nestedProps(v: NestedValidation): SchemaProps {
  const { forbiddenGenerics, forbiddenExtensions, ...values } = v;
  return {
    ...emptySchema(),
    ...values,
    ...forbiddenGenerics,
    ...extensions(forbiddenExtensions),
    ...branches(v),
    items: items(v.items && nestedProps(v.items)),
    properties: mapValues(v.properties, nestedProps),
    additionalProperties: v.additionalProperties && { allows: true, schema: nestedProps(v.additionalProperties) },
  };
}

/** A structural schema as the v1 schema that it came from. */
export function structuralJson(structural: Structural): JsonObject {
  return encodeSchema(props(structural));
}
