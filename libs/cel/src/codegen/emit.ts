import { LIST_CREATION } from '../cost/creation.ts';
import { PLANNED_FUNCTIONS } from '../functions/planned-functions.ts';
import { constantValue } from '../runtime/constant-value.ts';
import { TypeValue } from '../runtime/value.ts';
import { DYN } from '../types/type.ts';
import { boxed } from './boxing.ts';
import { emitCall } from './calls.ts';
import { emitEquality } from './equality.ts';
import { emitFold } from './folds.ts';
import { foldedValue } from './folded-value.ts';
import { joined, js } from './javascript.ts';
import { emitConditional, emitLogical } from './logic.ts';
import { emitMembership } from './membership.ts';
import { emitOptionalOr } from './optionals.ts';
import { emitChain, emitSteps } from './paths.ts';
import { shapeOfType } from './shape.ts';
import type { CallExpr, Constant, Expr, IdentExpr, ListExpr } from '../syntax/ast.ts';
import type { CelValue } from '../runtime/value.ts';
import type { CelType } from '../types/type.ts';
import type { Generator } from './generator.ts';
import type { Operand } from './shape.ts';

/** Writes the code of one node. */
export function emitNode(g: Generator, node: Expr): Operand {
  switch (node.kind) {
    case 'constant':
      return emitConstant(g, node.constant, g.typeOf(node));
    case 'ident':
      return emitIdent(g, node);
    case 'select':
      return node.testOnly ? emitSteps(g, node) : emitChain(g, node);
    case 'call':
      return emitCallKind(g, node);
    case 'list':
      return emitList(g, node);
    case 'comprehension':
      return emitFold(g, node);
    case 'map':
    case 'struct': {
      const value = foldedValue(g, node);
      return value === undefined ? g.giveUp('a map literal') : emitValue(g, value, g.typeOf(node));
    }
  }
}

function emitConstant(g: Generator, constant: Constant, type: CelType): Operand {
  switch (constant.type) {
    case 'bool':
      return { code: constant.value ? js`true` : js`false`, shape: { kind: 'bool' }, constant: constant.value };
    case 'int': {
      const value = Number(constant.value);
      if (!Number.isSafeInteger(value)) return g.giveUp('an int beyond the safe range');
      return { code: js`${value}`, shape: { kind: 'int' }, constant: value };
    }
    case 'double':
      return { code: js`${constant.value}`, shape: { kind: 'double' }, constant: constant.value };
    case 'string':
      return { code: g.constants.name(constant.value), shape: { kind: 'string' }, constant: constant.value };
    default:
      return { code: g.constants.name(constantValue(constant)), shape: { kind: 'value', type } };
  }
}

/** A value that is known now, made by folding. */
function emitValue(g: Generator, value: CelValue, type: CelType): Operand {
  if (typeof value === 'bigint') return g.giveUp('an int beyond the safe range');
  const shape = shapeOfType(type);
  if (shape.kind === 'double') return g.giveUp('a folded double');
  return { code: g.constants.name(value), shape, constant: value };
}

function emitIdent(g: Generator, node: IdentExpr): Operand {
  const type = g.typeOf(node);
  if (type.kind !== 'type' || g.isInScope(node.name)) return emitChain(g, node);
  return { code: g.constants.name(new TypeValue(type.of ?? type)), shape: { kind: 'value', type } };
}

function emitCallKind(g: Generator, node: CallExpr): Operand {
  switch (PLANNED_FUNCTIONS.get(node.function)) {
    case 'and':
      return emitLogical(g, node, false);
    case 'or':
      return emitLogical(g, node, true);
    case 'conditional':
      return emitConditional(g, node);
    case 'equals':
      return emitEquality(g, node, false);
    case 'notEquals':
      return emitEquality(g, node, true);
    case 'index':
    case 'optionalIndex':
      return emitChain(g, node);
    case 'in':
      return emitMembership(g, node);
    case undefined: {
      const value = foldedValue(g, node);
      return value === undefined ? emitCall(g, node) : emitValue(g, value, g.typeOf(node));
    }
    case 'optionalOr':
      return emitOptionalOr(g, node, false);
    case 'optionalOrValue':
      return emitOptionalOr(g, node, true);
  }
}

/** A list: paid for also when an element fails; elements behind it are not evaluated. */
function emitList(g: Generator, node: ListExpr): Operand {
  const type = g.typeOf(node);
  const value = foldedValue(g, node);
  if (value !== undefined) return emitValue(g, value, type);
  if (node.optionalIndices.length > 0) return g.giveUp('optional elements');
  g.writer.charge(LIST_CREATION);
  const elements = node.elements.map((element) => boxed(g, g.emit(element)));
  const list = g.hold('list', js`[${joined(elements, ', ')}]`);
  return { code: list, shape: { kind: 'array', element: type.kind === 'list' ? type.element : DYN } };
}
