import { EMPTY_SCHEMA } from '#cel';
import type { ValueSchema } from '#cel';
import type { GoType, OwnTypeName, StructType } from '../built-in/table/go-type.ts';

const OBJECT: ValueSchema = { ...EMPTY_SCHEMA, type: 'object' };
const DATE_TIME: ValueSchema = { ...EMPTY_SCHEMA, type: 'string', format: 'date-time' };

/**
 * OpenAPI schemas of the Go types that have a custom JSON decoder. The schema of a quantity has no type, so type-checked expressions cannot
 * read quantities.
 */
const OWN: Readonly<Record<OwnTypeName, ValueSchema>> = {
  Quantity: EMPTY_SCHEMA,
  IntOrString: { ...EMPTY_SCHEMA, intOrString: true },
  Time: DATE_TIME,
  MicroTime: DATE_TIME,
  Duration: { ...EMPTY_SCHEMA, type: 'string' },
  RawExtension: OBJECT,
  FieldsV1: OBJECT,
};

/** Schemas of structs. Each is created only once. */
const structs = new WeakMap<StructType, ValueSchema>();

/**
 * Returns the schema that a server publishes for a built-in Go type. It contains only the keywords that determine the types of expressions.
 */
export function builtInSchema(type: GoType): ValueSchema {
  switch (type.kind) {
    case 'bool':
      return { ...EMPTY_SCHEMA, type: 'boolean' };
    case 'int32':
    case 'int64':
    case 'uint8':
      return { ...EMPTY_SCHEMA, type: 'integer' };
    case 'string':
      return { ...EMPTY_SCHEMA, type: 'string' };
    case 'bytes':
      return { ...EMPTY_SCHEMA, type: 'string', format: 'byte' };
    case 'own':
      return OWN[type.name];
    case 'pointer':
      return builtInSchema(type.to);
    case 'list':
      return { ...EMPTY_SCHEMA, type: 'array', items: builtInSchema(type.of) };
    case 'map':
      return { ...OBJECT, additionalProperties: builtInSchema(type.of) };
    case 'struct':
      return structSchema(type);
  }
}

function structSchema(type: StructType): ValueSchema {
  const known = structs.get(type);
  if (known !== undefined) return known;
  // A recursive struct has no fields inside itself, because Kubernetes resolves references this way.
  structs.set(type, OBJECT);
  const schema = { ...OBJECT, properties: new Map(Array.from(type.fields, ([name, field]) => [name, builtInSchema(field.type)])) };
  structs.set(type, schema);
  return schema;
}
