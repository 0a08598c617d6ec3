import type { JsonValue } from '#go';
import type { FieldMerge, GoStructField, GoType, OwnTypeName, StructType } from '../../built-in/table/go-type.ts';
import { DEDUCED, UNTYPED } from './atom.ts';
import type { Atom, AtomRef, FieldAtom, ListAtom, MapAtom, Scalar } from './atom.ts';

const NO_FIELDS: ReadonlyMap<string, FieldAtom> = new Map();

/** Merge types of Go types that have a custom JSON decoder. */
const OWN: Readonly<Record<OwnTypeName, Atom>> = {
  Quantity: { scalar: 'untyped' },
  IntOrString: { scalar: 'untyped' },
  Time: { scalar: 'untyped' },
  MicroTime: { scalar: 'untyped' },
  Duration: { scalar: 'string' },
  RawExtension: UNTYPED,
  FieldsV1: { map: { atomic: false, fields: NO_FIELDS, others: () => DEDUCED } },
};

/** Merge types of structs. Each is created only once because structs refer to each other in cycles. */
const structs = new WeakMap<StructType, Atom>();

/**
 * Returns the merge type ({@link Atom}) of a built-in Go type. `merge` is the list or map type in the OpenAPI schema, and decides how
 * lists, maps and structs merge. For all other types, the Go kind decides.
 */
export function builtInAtom(type: GoType, merge?: FieldMerge): Atom {
  switch (type.kind) {
    case 'bool':
      return { scalar: 'boolean' };
    case 'int32':
    case 'int64':
    case 'uint8':
      return { scalar: 'numeric' };
    case 'string':
    case 'bytes':
      return { scalar: 'string' };
    case 'own':
      return OWN[type.name];
    case 'pointer':
      return builtInAtom(type.to, merge);
    case 'list':
      return {
        list: {
          atomic: merge?.kind !== 'map' && merge?.kind !== 'set',
          keys: merge?.kind === 'map' ? merge.keys : [],
          items: refTo(type.of),
        },
      };
    case 'map':
      return { map: { atomic: merge?.kind === 'atomic', fields: NO_FIELDS, others: refTo(type.of) } };
    case 'struct':
      return structAtom(type, merge);
  }
}

function structAtom(type: StructType, merge: FieldMerge | undefined): Atom {
  const known = structs.get(type) ?? { map: { atomic: type.isAtomic, fields: fieldsOf(type) } };
  structs.set(type, known);
  const atomic = merge?.kind === 'atomic' || (type.isAtomic && merge?.kind !== 'granular');
  return known.map === undefined || known.map.atomic === atomic ? known : { map: { ...known.map, atomic } };
}

const fieldsOf = (type: StructType): ReadonlyMap<string, FieldAtom> =>
  new Map(Array.from(type.fields, ([name, field]) => [name, fieldAtom(field)]));

function fieldAtom({ type, merge, keyDefault }: GoStructField): FieldAtom {
  return { type: refTo(type, merge), ...(keyDefault !== undefined && { default: keyDefault }) };
}

function refTo(type: GoType, merge?: FieldMerge): AtomRef {
  let atom: Atom | undefined;
  return () => (atom ??= builtInAtom(type, merge));
}

/** Schema that an API server publishes for a custom kind, reduced to the keywords that affect how objects of this kind are merged. */
export interface PublishedSchema {
  readonly type: string;
  readonly format: string;
  readonly default: JsonValue | undefined;
  readonly items: PublishedSchema | undefined;
  readonly properties: ReadonlyMap<string, PublishedSchema> | undefined;
  readonly additionalProperties: PublishedSchema | undefined;
  /** Value of `additionalProperties` if it is a boolean. True if the keyword contains a schema, and undefined if the keyword is absent. */
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

/**
 * Returns the type of members that are not declared properties. If arbitrary members are allowed, their types are deduced from their
 * values. Returns undefined if only the declared properties are allowed.
 */
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

/** Returns a reference to the merge type of a schema. The type is created when the reference is first called. */
function refOf(schema: PublishedSchema, keepUnknown: boolean): AtomRef {
  let atom: Atom | undefined;
  return () => (atom ??= publishedAtom(schema, keepUnknown));
}

/**
 * Returns the merge type of values that a published schema describes. `keepUnknown` is true if an enclosing schema sets
 * x-kubernetes-preserve-unknown-fields, which applies to all schemas inside it. Source: k8s.io/kube-openapi/pkg/schemaconv/openapi.go
 * (1.37).
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
 * Returns the merge type of a custom kind, which defines how two objects of the kind merge. Without a structural schema, any fields are
 * allowed. Source: k8s.io/apiextensions-apiserver/pkg/controller/openapi/builder/builder.go (1.37).
 */
export function customKindAtom(schema: PublishedSchema | undefined): Atom {
  return schema === undefined
    ? { map: { atomic: false, fields: new Map(), others: () => DEDUCED } }
    : publishedAtom({ ...schema, embeddedResource: true });
}

const ref =
  (atom: Atom): AtomRef =>
  () =>
    atom;

/** Merge type of a string field. If the field is a key field and an item of an associative list omits it, its value is the empty string. */
const STRING: FieldAtom = { type: ref({ scalar: 'string' }), default: '' };
const OPTIONAL_STRING: FieldAtom = { type: ref({ scalar: 'string' }) };
const BOOLEAN: FieldAtom = { type: ref({ scalar: 'boolean' }) };
const NUMBER: FieldAtom = { type: ref({ scalar: 'numeric' }) };
const TIME: FieldAtom = { type: ref({ scalar: 'untyped' }) };

const struct = (fields: Readonly<Record<string, FieldAtom>>, { atomic = false } = {}): Atom => ({
  map: { atomic, fields: new Map(Object.entries(fields)) },
});
const list = (items: Atom, rest: Pick<ListAtom, 'atomic' | 'keys'>): FieldAtom => ({ type: ref({ list: { ...rest, items: ref(items) } }) });

const STRING_MAP: FieldAtom = { type: ref({ map: { atomic: false, fields: new Map(), others: STRING.type } }) };

const OWNER_REFERENCE = struct(
  { apiVersion: STRING, blockOwnerDeletion: BOOLEAN, controller: BOOLEAN, kind: STRING, name: STRING, uid: STRING },
  { atomic: true },
);

const MANAGED_FIELDS = struct({
  apiVersion: OPTIONAL_STRING,
  fieldsType: OPTIONAL_STRING,
  fieldsV1: { type: ref({ map: { atomic: false, fields: new Map(), others: ref(DEDUCED) } }) },
  manager: OPTIONAL_STRING,
  operation: OPTIONAL_STRING,
  subresource: OPTIONAL_STRING,
  time: TIME,
});

/** Merge type of `metadata`. Source: k8s.io/apimachinery/pkg/apis/meta/v1 ObjectMeta, as its OpenAPI schema says it (1.37). */
const OBJECT_META: Atom = struct({
  annotations: STRING_MAP,
  creationTimestamp: TIME,
  deletionGracePeriodSeconds: NUMBER,
  deletionTimestamp: TIME,
  finalizers: list({ scalar: 'string' }, { atomic: false, keys: [] }),
  generateName: OPTIONAL_STRING,
  generation: NUMBER,
  labels: STRING_MAP,
  managedFields: list(MANAGED_FIELDS, { atomic: true, keys: [] }),
  name: OPTIONAL_STRING,
  namespace: OPTIONAL_STRING,
  ownerReferences: list(OWNER_REFERENCE, { atomic: false, keys: ['uid'] }),
  resourceVersion: OPTIONAL_STRING,
  selfLink: OPTIONAL_STRING,
  uid: OPTIONAL_STRING,
});

/** Fields that every resource has, with their merge types (how an ApplyConfiguration patch merges two values of a field). */
const RESOURCE_FIELDS: ReadonlyMap<string, FieldAtom> = new Map([
  ['apiVersion', OPTIONAL_STRING],
  ['kind', OPTIONAL_STRING],
  ['metadata', { type: ref(OBJECT_META) }],
]);
