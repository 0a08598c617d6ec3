import { utf8Length, memoizeWeak } from '#go';
import { has, releaseOf } from '../../minors.ts';
import { BOOL, BYTES, DOUBLE, DURATION, DYN, INT, STRING, TIMESTAMP } from '../types/type.ts';
import { escapeFieldName } from './field-name.ts';
import { withTypeAndObjectMeta } from './value-schema.ts';
import type { ValueSchema } from './value-schema.ts';
import type { Minor } from '#kube';
import type { CelType } from '../types/type.ts';
import type { DeclaredType } from './declared-type.ts';

/** Size in bytes of the largest request that a server reads. No value can be longer. */
const MAX_REQUEST_BYTES = 3_145_728;
/** Size in bytes of the largest content of a value in a request, excluding the two quotes, brackets or braces around the value. */
const MAX_CONTENT = MAX_REQUEST_BYTES - 2;

/**
 * Cache of declarations by schema node. It saves work because schemas share nodes, and because rules are compiled only once for all nodes
 * that have the same declaration.
 */
type DeclaredSchemas = WeakMap<ValueSchema, DeclaredType>;

/** Says if a schema describes a whole resource, or another value, such as a field of a resource. */
export type SchemaRole = 'resource' | 'value';

/** Rules by which a minor version of the server declares schema nodes, with the caches of the resulting declarations. */
interface DeclarationRules {
  readonly roots: DeclaredSchemas;
  readonly nodes: DeclaredSchemas;
  /** True if cost estimates limit the length of resource names, such as `metadata.name` to 253. */
  readonly capsNames: boolean;
  /** True if `maxLength` limits the estimated size of an int-or-string value. */
  readonly boundsIntOrString: boolean;
}

/** Cache of declaration rules, by a text of those properties that differ between Kubernetes minor versions. */
const ways = new Map<string, DeclarationRules>();

function rulesOf(minor: Minor): DeclarationRules {
  const release = releaseOf(minor);
  const capsNames = has(release, 'namesAreCapped');
  const boundsIntOrString = has(release, 'intOrStringIsBounded');
  const key = `${capsNames} ${boundsIntOrString}`;
  const known = ways.get(key);
  if (known !== undefined) return known;
  const rules = { roots: new WeakMap(), nodes: new WeakMap(), capsNames, boundsIntOrString };
  ways.set(key, rules);
  return rules;
}

/** Cache, by schema node, of the declarations that are identical under all sets of declaration rules. */
const everywhere: DeclaredSchemas = new WeakMap();

/**
 * Returns true if the declaration of a schema node depends on the Kubernetes minor version. It does if the node contains a resource, or an
 * int-or-string with `maxLength`.
 */
const differs: (schema: ValueSchema) => boolean = memoizeWeak((schema) => {
  if (schema.embeddedResource || (schema.intOrString && schema.maxLength !== undefined)) return true;
  if (schema.items !== undefined && differs(schema.items)) return true;
  if (schema.additionalProperties !== undefined && differs(schema.additionalProperties)) return true;
  return [...(schema.properties?.values() ?? [])].some(differs);
});

/**
 * Returns the CEL declaration of a schema node. CEL cannot access a node that has no type, or a list or map of such nodes: the result is
 * undefined. The declaration of a resource also has the fields that every resource has, such as `kind` and `metadata`. Source:
 * k8s.io/apiserver/pkg/cel/common/schemas.go, k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model/schemas.go (1.37).
 */
export function declareType(schema: ValueSchema, role: SchemaRole, minor: Minor): DeclaredType | undefined {
  return declare(schema, role === 'resource', rulesOf(minor));
}

function declare(schema: ValueSchema, resourceRoot: boolean, rules: DeclarationRules): DeclaredType | undefined {
  const known = resourceRoot ? rules.roots : differs(schema) ? rules.nodes : everywhere;
  const found = known.get(schema);
  if (found !== undefined) return found;
  const type = declareNode(schema, resourceRoot, rules);
  if (type !== undefined) known.set(schema, type);
  return type;
}

function declareNode(written: ValueSchema, resourceRoot: boolean, rules: DeclarationRules): DeclaredType | undefined {
  if (written.intOrString) {
    const maxLength = rules.boundsIntOrString ? written.maxLength : undefined;
    return scalar(written, DYN, 1, maxLength === undefined ? MAX_CONTENT : textBytes(maxLength));
  }
  const schema = resourceRoot ? withTypeAndObjectMeta(written, rules.capsNames) : written;
  switch (schema.type) {
    case 'array':
      return declareList(schema, rules);
    case 'object':
      if (schema.additionalProperties !== undefined) return declareMap(schema, schema.additionalProperties, rules);
      return declareObject(schema, rules);
    case 'string':
      return declareString(schema);
    case 'boolean':
      return scalar(schema, BOOL, 4, 0);
    case 'integer':
      return scalar(schema, INT, 1, 0);
    case 'number':
      return scalar(schema, DOUBLE, 1, 0);
    default:
      return undefined;
  }
}

const scalar = (schema: ValueSchema, type: CelType, minSerializedSize: number, maxElements: number): DeclaredType => ({
  kind: 'scalar',
  schema,
  type,
  minSerializedSize,
  maxElements,
});

function declareList(schema: ValueSchema, rules: DeclarationRules): DeclaredType | undefined {
  const { items, maxItems } = schema;
  const element = items && declare(items, items.embeddedResource, rules);
  if (element === undefined) return undefined;
  const maxElements = maxItems === undefined ? Math.floor(MAX_CONTENT / (element.minSerializedSize + 1)) : Math.max(maxItems, 0);
  return { kind: 'list', schema, element, minSerializedSize: 2, maxElements };
}

function declareMap(schema: ValueSchema, values: ValueSchema, rules: DeclarationRules): DeclaredType | undefined {
  const value = declare(values, values.embeddedResource, rules);
  if (value === undefined) return undefined;
  const { maxProperties } = schema;
  const maxElements = maxProperties === undefined ? Math.floor(MAX_CONTENT / (value.minSerializedSize + 6)) : Math.max(maxProperties, 0);
  return { kind: 'map', schema, value, minSerializedSize: 2, maxElements };
}

function declareObject(schema: ValueSchema, rules: DeclarationRules): DeclaredType {
  const fields = new Map<string, DeclaredType>();
  let minSerializedSize = 2;
  for (const [name, property] of schema.properties ?? []) {
    const type = declare(property, property.embeddedResource, rules);
    if (type === undefined) continue;
    const field = escapeFieldName(name);
    if (field !== undefined) fields.set(field, type);
    // An object may omit a required property that has a default, because the server inserts the default.
    if (property.default === undefined && schema.required.includes(name)) {
      minSerializedSize += utf8Length(name) + type.minSerializedSize + 4;
    }
  }
  return { kind: 'object', schema, fields, minSerializedSize, maxElements: 0 };
}

function declareString(schema: ValueSchema): DeclaredType {
  const { format, maxLength, enum: values } = schema;
  switch (format) {
    case 'byte':
      return scalar(schema, BYTES, 2, maxLength === undefined ? MAX_CONTENT : Math.max(maxLength, 0));
    case 'duration':
      return scalar(schema, DURATION, 3, 32);
    case 'date':
      return scalar(schema, TIMESTAMP, 12, 12);
    case 'date-time':
      return scalar(schema, TIMESTAMP, 21, 32);
  }
  if (maxLength !== undefined) return scalar(schema, STRING, 2, textBytes(maxLength));
  return scalar(schema, STRING, 2, values === undefined || values.length === 0 ? MAX_CONTENT : longestText(values));
}

/** Returns the maximum UTF-8 size in bytes of a text with the given number of code points. */
const textBytes = (codePoints: number): number => Math.max(codePoints, 0) * 4;

function longestText(values: readonly unknown[]): number {
  return Math.max(0, ...values.map((value) => (typeof value === 'string' ? utf8Length(value) : 0)));
}
