import type { JsonObject } from '#go';
import { KEYWORDS } from '../../../libs/crd/src/keywords/all.ts';
import { encodeSchema } from '../../../libs/crd/src/schema/encode-definition.ts';
import type { SchemaProps } from '../../../libs/crd/src/schema/schema-props.ts';
import type { Branches, NestedValidation, Structural } from '../../../libs/crd/src/structural/structural.ts';

function mapValues<A, B>(map: ReadonlyMap<string, A> | undefined, change: (value: A) => B): Map<string, B> | undefined {
  return map && new Map([...map].map(([key, value]) => [key, change(value)] as const));
}

const branches = ({ allOf, anyOf, oneOf, not }: Branches): Pick<SchemaProps, 'allOf' | 'anyOf' | 'oneOf' | 'not'> => ({
  allOf: allOf.map(nestedProps),
  anyOf: anyOf.map(nestedProps),
  oneOf: oneOf.map(nestedProps),
  not: not && nestedProps(not),
});

const items = (schema: SchemaProps | undefined): SchemaProps['items'] => schema && { schema, schemas: [] };

/** Returns only those keywords of a schema node that are neither structural nor unsupported. All other keywords get their empty values. */
function ownProps(props: SchemaProps): SchemaProps {
  const own = KEYWORDS.keywords.filter(({ nesting }) => nesting !== 'structure' && nesting !== 'unsupported');
  return { ...KEYWORDS.empty, ...Object.fromEntries(own.map(({ field }) => [field, props[field]])) };
}

function props(s: Structural): SchemaProps {
  return {
    ...ownProps(s.props),
    ...branches(s.branches),
    default: s.default,
    items: items(s.items && props(s.items)),
    properties: mapValues(s.properties, props),
    additionalProperties:
      s.additionalPropertiesAllowed === undefined
        ? undefined
        : { allows: s.additionalPropertiesAllowed, schema: s.additionalProperties && props(s.additionalProperties) },
  };
}

function nestedProps(v: NestedValidation): SchemaProps {
  return {
    ...ownProps(v.props),
    ...branches(v.branches),
    items: items(v.items && nestedProps(v.items)),
    properties: mapValues(v.properties, nestedProps),
    additionalProperties: v.additionalProperties && { allows: true, schema: nestedProps(v.additionalProperties) },
  };
}

/** Converts a structural schema back to the v1 schema from which it was made. */
export function structuralJson(structural: Structural): JsonObject {
  return encodeSchema(props(structural));
}
