import { goQuote } from '#go';
import type { Constant } from '../../../libs/cel/src/values/value.ts';
import type { Expr, MapEntry, StructField } from '../../../libs/cel/src/language/syntax/ast.ts';

/** Function that returns the text that is appended to the printed form of a node, such as the node's number, position or type. */
export type Adornment = (node: Expr | MapEntry | StructField) => string;

/** Returns an expression tree in the notation of cel-go's tests (common/debug/debug.go), without line breaks and indentation. */
export function expressionText(node: Expr, adorn: Adornment): string {
  const text = (child: Expr): string => expressionText(child, adorn);
  return bare() + adorn(node);

  function bare(): string {
    switch (node.kind) {
      case 'constant':
        return constantText(node.constant);
      case 'ident':
        return node.name;
      case 'select':
        return `${text(node.operand)}.${node.field}${node.testOnly ? '~test-only~' : ''}`;
      case 'call':
        return `${node.target === undefined ? '' : `${text(node.target)}.`}${node.function}(${node.args.map(text).join(',')})`;
      case 'list':
        return `[${node.elements.map(text).join(',')}]`;
      case 'map':
        return `{${node.entries.map((e) => `${e.optional ? '?' : ''}${text(e.key)}:${text(e.value)}${adorn(e)}`).join(',')}}`;
      case 'struct':
        return `${node.typeName}{${node.fields.map((f) => `${f.optional ? '?' : ''}${f.name}:${text(f.value)}${adorn(f)}`).join(',')}}`;
      case 'comprehension': {
        const variables = node.iterVar2 === undefined ? node.iterVar : `${node.iterVar},${node.iterVar2}`;
        return (
          `__comprehension__(//Variable${variables},//Target${text(node.iterRange)},//Accumulator${node.accuVar},//Init${text(node.accuInit)},` +
          `//LoopCondition${text(node.loopCondition)},//LoopStep${text(node.loopStep)},//Result${text(node.result)})`
        );
      }
    }
  }
}

function constantText(constant: Constant): string {
  switch (constant.type) {
    case 'null':
      return 'null';
    case 'uint':
      return `${constant.value}u`;
    case 'string':
      return goQuote(constant.value);
    case 'bytes':
      return `b${goQuote(Buffer.from(constant.value).toString('latin1'))}`;
    case 'double':
      return doubleText(constant.value);
    case 'bool':
    case 'int':
      return String(constant.value);
  }
}

/** Returns a float64 as Go's `%v` prints it. */
function doubleText(value: number): string {
  const exponent = value === 0 ? 0 : Math.floor(Math.log10(Math.abs(value)));
  if (exponent >= -4 && exponent < 21) return String(value);
  return value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2');
}

/** Returns the name of the Go type that cel-go uses for a node, as its parser tests print it. */
export function goKind(node: Expr | MapEntry | StructField): string {
  if (!('kind' in node)) return '*expr.Expr_CreateStruct_Entry';
  switch (node.kind) {
    case 'constant': {
      const { type } = node.constant;
      const name = type === 'int' ? 'Int64' : type === 'uint' ? 'Uint64' : type[0]!.toUpperCase() + type.slice(1);
      return `*expr.Constant_${name}Value`;
    }
    case 'ident':
      return '*expr.Expr_IdentExpr';
    case 'select':
      return '*expr.Expr_SelectExpr';
    case 'call':
      return '*expr.Expr_CallExpr';
    case 'list':
      return '*expr.Expr_ListExpr';
    case 'map':
    case 'struct':
      return '*expr.Expr_StructExpr';
    case 'comprehension':
      return '*expr.Expr_ComprehensionExpr';
  }
}
