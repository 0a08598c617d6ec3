import { goQuote } from '#go';
import type { Constant } from '../../values/constant-value.ts';
import type { Expr } from './ast.ts';

/**
 * Returns a node as cel-go before 0.18 prints it: as a protobuf message in text form, on one line. Go's encoder writes one or two spaces
 * between fields, depending on the checksum of the Go program. This function always writes two spaces. Source: google.golang.org/protobuf
 * encoding/prototext, google/api/expr/v1alpha1/syntax.proto.
 */
export function protobufText(node: Expr): string {
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
