import { DEDUCED, UNTYPED } from './atom.ts';
import type { Atom, AtomRef, FieldAtom } from './atom.ts';
import type { FieldMerge, GoType, OwnTypeName, GoStructField, StructType } from '../../built-in/table/go-type.ts';

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
          items: ref(type.of),
        },
      };
    case 'map':
      return { map: { atomic: merge?.kind === 'atomic', fields: NO_FIELDS, others: ref(type.of) } };
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
  return { type: ref(type, merge), ...(keyDefault !== undefined && { default: keyDefault }) };
}

function ref(type: GoType, merge?: FieldMerge): AtomRef {
  let atom: Atom | undefined;
  return () => (atom ??= builtInAtom(type, merge));
}
