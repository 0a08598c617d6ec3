import type { JsonValue } from '#go';
import { DEDUCED, UNTYPED } from './atom.ts';
import type { Atom, AtomRef, FieldAtom, ListAtom, MapAtom, Scalar } from './atom.ts';
import { RESOURCE_FIELDS } from './object-meta-atom.ts';

/** The keywords of a published schema that affect merging. */
export interface PublishedSchema {
  readonly type: string;
  readonly format: string;
  readonly default: JsonValue | undefined;
  readonly items: PublishedSchema | undefined;
  readonly properties: ReadonlyMap<string, PublishedSchema> | undefined;
  readonly additionalProperties: PublishedSchema | undefined;
  /** The bool of `additionalProperties`, true beside a schema; undefined when the keyword is absent. */
  readonly additionalPropertiesAllowed: boolean | undefined;
  readonly preserveUnknownFields: boolean;
  readonly embeddedResource: boolean;
  readonly listType: string | undefined;
  readonly listMapKeys: readonly string[];
  readonly mapType: string | undefined;
}

function scalarOf(type: string, format: string): Scalar {
  if (type === 'integer' || type === 'number') return 'numeric';
  if (type === 'boolean') return 'boolean';
  return format === '' || format === 'byte' ? 'string' : 'untyped';
}

function listOf(schema: PublishedSchema, keepUnknown: boolean): ListAtom {
  const { items } = schema;
  const associative = schema.listType === 'set' || schema.listType === 'map';
  return {
    atomic: !associative,
    keys: schema.listType === 'map' ? schema.listMapKeys : [],
    items: items === undefined ? () => UNTYPED : refOf(items, keepUnknown),
  };
}

/** Returns the type of what is no property: deduced from the value where any is allowed, none where properties are listed. */
function othersOf(schema: PublishedSchema, keepUnknown: boolean): AtomRef | undefined {
  if (schema.additionalProperties !== undefined) return refOf(schema.additionalProperties, keepUnknown);
  const anything = schema.additionalPropertiesAllowed ?? (keepUnknown || (schema.properties?.size ?? 0) === 0);
  return anything ? () => DEDUCED : undefined;
}

function mapOf(schema: PublishedSchema, keepUnknown: boolean): MapAtom {
  const fields = new Map<string, FieldAtom>();
  for (const [name, property] of schema.properties ?? []) fields.set(name, fieldOf(property, keepUnknown));
  if (schema.embeddedResource) for (const [name, field] of RESOURCE_FIELDS) fields.set(name, field);
  const others = othersOf(schema, keepUnknown);
  return { atomic: schema.mapType === 'atomic', fields, ...(others && { others }) };
}

function fieldOf(schema: PublishedSchema, keepUnknown: boolean): FieldAtom {
  const type = refOf(schema, keepUnknown);
  return schema.default === undefined || schema.default === null ? { type } : { type, default: schema.default };
}

/** Returns a schema's type, made when it is first asked for. */
function refOf(schema: PublishedSchema, keepUnknown: boolean): AtomRef {
  let atom: Atom | undefined;
  return () => (atom ??= publishedAtom(schema, keepUnknown));
}

/**
 * Returns the type by which values of a published schema merge. `keepUnknown`: a schema around it has x-kubernetes-preserve-unknown-fields, which
 * holds for all that is below. Source: k8s.io/kube-openapi/pkg/schemaconv/openapi.go (1.37).
 */
function publishedAtom(schema: PublishedSchema, keepUnknown = false): Atom {
  const keep = keepUnknown || schema.preserveUnknownFields;
  switch (schema.type) {
    case '':
      return { scalar: 'untyped', list: listOf(schema, keep), map: mapOf(schema, keep) };
    case 'object':
      return { map: mapOf(schema, keep) };
    case 'array':
      return { list: listOf(schema, keep) };
    default:
      return { scalar: scalarOf(schema.type, schema.format) };
  }
}

/**
 * Returns the type by which objects of a custom kind merge. Without a structural schema anything goes.
 * Source: k8s.io/apiextensions-apiserver/pkg/controller/openapi/builder/builder.go (1.37).
 */
export function customKindAtom(schema: PublishedSchema | undefined): Atom {
  return schema === undefined
    ? { map: { atomic: false, fields: new Map(), others: () => DEDUCED } }
    : publishedAtom({ ...schema, embeddedResource: true });
}
