import { formatArguments, formatType, plainTypeText } from '../../values/types/type.ts';
import type { CelType, TypeNaming } from '../../values/types/type.ts';
import type { Expr } from '../syntax/ast.ts';
import type { SymbolCatalog } from './symbol-catalog.ts';
import { goQuote } from '#go';
import type { Constant } from '../../values/value.ts';

/**
 * Returns the error for a name that is not declared. Since 1.38, it suggests similar names of `catalog`. This function and the functions
 * after it return the checker's error messages. Source: cel-go checker/errors.go (v0.29.2, v0.33.2).
 */
export function undeclaredReference(name: string, catalog: SymbolCatalog | undefined): string {
  const text = `undeclared reference to '${name}'`;
  if (catalog === undefined) return `${text} (in container '')`;
  const similar = catalog.find(name);
  if (similar.length === 0 || similar[0] === name) return text;
  return `${text} (did you mean ${similar.map((one) => `'${one}'`).join(' or ')}?)`;
}

/** Returns the error for arguments that no overload accepts. If `method` is true, the first argument is the receiver. */
export const noMatchingOverload = (name: string, args: readonly CelType[], method: boolean, naming: TypeNaming): string =>
  `found no matching overload for '${name}' applied to '${formatArguments(args, method, naming)}'`;

/** Returns the error for a part of an expression whose type differs from the expected type. */
export const typeMismatch = (expected: CelType, actual: CelType, naming: TypeNaming): string =>
  `expected type '${formatType(expected, naming)}' but found '${formatType(actual, naming)}'`;

/** Returns the error for a field that the object's type does not have. */
export const undefinedField = (field: string): string => `undefined field '${field}'`;

/** Returns the error for a selection `.field` from a type without fields. */
export const noFieldSelection = (type: CelType, naming: TypeNaming): string =>
  `type '${formatType(type, naming)}' does not support field selection`;

/** Returns the error for a comprehension over a value that is not a list, map or dyn. */
export const notARange = (type: CelType, naming: TypeNaming): string =>
  `expression of type '${formatType(type, naming)}' cannot be range of a comprehension (must be list, map, or dynamic)`;

/** Returns the error for a name whose type cannot be resolved. */
export const unresolvedType = (name: string): string => `unexpected failed resolution of '${name}'`;

/** Returns the error for a literal `Name{…}` if `Name` is not an object type. */
export const notAMessageType = (name: string): string => `'${name}' is not a message type`;

/** Returns the error for a field of a message literal whose value has the wrong type. */
export const fieldTypeMismatch = (field: string, expected: CelType | undefined, actual: CelType, naming: TypeNaming): string =>
  `expected type of field '${field}' is '${expected === undefined ? '' : formatType(expected, naming)}' but provided type is '${formatType(actual, naming)}'`;

/**
 * Returns the error for a node that is checked twice with different types. The message contains the node as Kubernetes 1.30 prints it.
 * Kubernetes 1.31 prints the node's memory address instead, which cannot be reproduced. Source: cel-go checker/errors.go (v0.17.8,
 * v0.20.1).
 */
export const incompatibleType = (node: Expr, known: CelType, type: CelType, naming: TypeNaming): string =>
  `incompatible type already exists for expression: ${protobufText(node)}(${node.id}) old:${plainTypeText(known, naming)}, new:${plainTypeText(type, naming)}`;

/**
 * Returns a node as cel-go before 0.18 prints it: as a protobuf message in text form, on one line. Go's encoder writes one or two spaces
 * between fields, depending on the checksum of the Go program. This function always writes two spaces. Source: google.golang.org/protobuf
 * encoding/prototext, google/api/expr/v1alpha1/syntax.proto.
 */
function protobufText(node: Expr): string {
  return fields([`id:${node.id}`, body(node)]);
}

const fields = (parts: readonly (string | undefined)[]): string => parts.filter((part) => part !== undefined).join('  ');
const message = (name: string, parts: readonly (string | undefined)[]): string => `${name}:{${fields(parts)}}`;
const child = (name: string, node: Expr | undefined): string | undefined =>
  node === undefined ? undefined : `${name}:{${protobufText(node)}}`;
const text = (name: string, value: string): string | undefined => (value === '' ? undefined : `${name}:${goQuote(value)}`);

function body(node: Expr): string {
  switch (node.kind) {
    case 'constant':
      return message('const_expr', [constantField(node.constant)]);
    case 'ident':
      return message('ident_expr', [text('name', node.name)]);
    case 'select':
      return message('select_expr', [
        child('operand', node.operand),
        text('field', node.field),
        node.testOnly ? 'test_only:true' : undefined,
      ]);
    case 'call':
      return message('call_expr', [
        child('target', node.target),
        text('function', node.function),
        ...node.args.map((arg) => child('args', arg)),
      ]);
    case 'list':
      return message('list_expr', [
        ...node.elements.map((element) => child('elements', element)),
        ...node.optionalIndices.map((index) => `optional_indices:${index}`),
      ]);
    case 'map':
      return message(
        'struct_expr',
        node.entries.map(({ id, key, value, optional }) =>
          message('entries', [`id:${id}`, child('map_key', key), child('value', value), optional ? 'optional_entry:true' : undefined]),
        ),
      );
    case 'struct':
      return message('struct_expr', [
        text('message_name', node.typeName),
        ...node.fields.map(({ id, name, value, optional }) =>
          message('entries', [`id:${id}`, text('field_key', name), child('value', value), optional ? 'optional_entry:true' : undefined]),
        ),
      ]);
    case 'comprehension':
      return message('comprehension_expr', [
        text('iter_var', node.iterVar),
        child('iter_range', node.iterRange),
        text('accu_var', node.accuVar),
        child('accu_init', node.accuInit),
        child('loop_condition', node.loopCondition),
        child('loop_step', node.loopStep),
        child('result', node.result),
      ]);
  }
}

function constantField(constant: Constant): string {
  switch (constant.type) {
    case 'null':
      return 'null_value:NULL_VALUE';
    case 'int':
      return `int64_value:${constant.value}`;
    case 'uint':
      return `uint64_value:${constant.value}`;
    case 'string':
      return `string_value:${goQuote(constant.value)}`;
    case 'bytes':
      return `bytes_value:${goQuote(String.fromCharCode(...constant.value))}`;
    case 'bool':
    case 'double':
      return `${constant.type}_value:${constant.value}`;
  }
}
