import { LIST_CREATION, MAP_CREATION, MESSAGE_CREATION } from '../../library/step-prices.ts';
import { OPERATOR } from '../../library/names.ts';
import { PLANNED_FUNCTIONS } from '../../library/all.ts';
import { CelError, constantValue, TypeValue } from '../../values/value.ts';
import type { CelValue, Constant } from '../../values/value.ts';
import { isUnhashable } from '../../values/go-type.ts';
import { EntryMap } from '../../values/map.ts';
import { doubleOf } from '../../values/type-of.ts';
import { DYN, runtimeTypeName } from '../../values/types/type.ts';
import type { CelType } from '../../values/types/type.ts';
import { asOptional, boxed, isError } from './boxing.ts';
import { emitCall } from './calls.ts';
import { emitEquality, emitMembership } from './comparisons.ts';
import { emitFold } from './folds.ts';
import { foldedValue } from './folded-value.ts';
import { joined, js } from '../../library/code/javascript.ts';
import { emitConditional, emitLogical, commonShape } from './logic.ts';
import { emitChain, emitSteps } from './paths.ts';
import { emitReduction } from './reductions.ts';
import { DOUBLE_SHAPE, shapeOfType } from '../../library/code/shape.ts';
import type { CallExpr, Expr, IdentExpr, ListExpr, MapExpr, StructExpr } from '../../language/syntax/ast.ts';
import type { Generator } from './generator.ts';
import type { Fragment } from '../../library/code/javascript.ts';
import type { Operand, Shape } from '../../library/code/shape.ts';

/** Emits JavaScript code that evaluates one node of an expression. Returns the operand that holds the value of the node. */
export function emitNode(g: Generator, node: Expr): Operand {
  if (stepsIntoMessage(g, node)) return g.giveUp('a step into a message');
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
      return emitMap(g, node);
    case 'struct':
      return emitMessage(g, node);
  }
}

/**
 * Returns true if any selection in an expression such as `a.b.c` reads a field of a message. Only the interpreter supports message fields
 * and their errors.
 */
function stepsIntoMessage(g: Generator, node: Expr): boolean {
  const base = node.kind === 'select' ? node.operand : node.kind === 'call' && STEPS.has(node.function) ? node.args[0] : undefined;
  if (base === undefined) return false;
  const type = g.typeOf(base);
  return (type.kind === 'object' && g.environment.messages(type.name) !== undefined) || stepsIntoMessage(g, base);
}

const STEPS: ReadonlySet<string> = new Set([OPERATOR.index, OPERATOR.optionalIndex, OPERATOR.optionalSelect]);

function emitConstant(g: Generator, constant: Constant, type: CelType): Operand {
  switch (constant.type) {
    case 'bool':
      return { code: constant.value ? js`true` : js`false`, shape: { kind: 'bool' }, constant: constant.value };
    case 'int':
    case 'double':
    case 'string':
      return emitValue(g, constantValue(constant), type);
    case 'bytes':
    case 'null':
    case 'uint':
      return { code: g.constants.name(constantValue(constant)), shape: { kind: 'value', type } };
  }
}

/** Returns an {@link Operand} for a value that constant folding computed. */
function emitValue(g: Generator, value: CelValue, type: CelType): Operand {
  if (value instanceof CelError) return g.giveUp('a literal that fails');
  const shape = shapeOfType(type);
  if (shape.kind === 'int' && typeof value === 'number') return { code: js`${value}`, shape, constant: value };
  const double = shape.kind === 'double' ? doubleOf(value) : undefined;
  if (double !== undefined) return { code: js`${double}`, shape: DOUBLE_SHAPE, constant: Number.isNaN(double) ? undefined : double };
  // Generated code treats integers beyond the safe range as CEL values.
  if (shape.kind === 'int' || shape.kind === 'double') return { code: g.constants.name(value), shape: { kind: 'value', type } };
  return { code: g.constants.name(value), shape, constant: value };
}

function emitIdent(g: Generator, node: IdentExpr): Operand {
  const type = g.typeOf(node);
  if (type.kind !== 'type' || g.isInScope(node.name)) return emitChain(g, node);
  const of = type.of ?? type;
  return { code: g.constants.name(new TypeValue(of, runtimeTypeName(of, g.environment.semantics))), shape: { kind: 'value', type } };
}

function emitCallKind(g: Generator, node: CallExpr): Operand {
  switch (PLANNED_FUNCTIONS.get(node.function)) {
    case 'and':
      return emitLogical(g, node, '&&');
    case 'or':
      return emitLogical(g, node, '||');
    case 'conditional':
      return emitConditional(g, node);
    case 'equals':
      return emitEquality(g, node, '==');
    case 'notEquals':
      return emitEquality(g, node, '!=');
    case 'index':
    case 'optionalIndex':
      return emitChain(g, node);
    case 'in':
      return emitMembership(g, node);
    case undefined: {
      const value = foldedValue(g, node);
      return value === undefined ? (emitReduction(g, node) ?? emitCall(g, node)) : emitValue(g, value, g.typeOf(node));
    }
    case 'optionalOr':
      return emitOptionalOr(g, node, 'or');
    case 'optionalOrValue':
      return emitOptionalOr(g, node, 'orValue');
  }
}

/**
 * Runs `write`, which emits the parts of a literal, and charges the cost of the literal. If a part fails, the literal has its cost only
 * before 1.38.
 */
function withCreation<T>(g: Generator, units: number, write: () => T): T {
  if (!g.failuresEndCalls) g.writer.charge(units);
  const result = write();
  if (g.failuresEndCalls) g.writer.charge(units);
  return result;
}

/** Emits a list literal. Elements after a failing element are not evaluated. */
function emitList(g: Generator, node: ListExpr): Operand {
  const type = g.typeOf(node);
  const value = foldedValue(g, node);
  if (value !== undefined) return emitValue(g, value, type);
  const shape: Shape = { kind: 'array', element: type.kind === 'list' ? type.element : DYN };
  return withCreation(g, LIST_CREATION, () => {
    if (node.optionalIndices.length > 0) return { code: emitOptionalElements(g, node), shape };
    const elements = node.elements.map((element) => boxed(g, g.emit(element)));
    return { code: g.hold('list', js`[${joined(elements, ', ')}]`), shape };
  });
}

/** Emits a list with optional elements, such as `[a, ?b]`. An optional element is added only if it has a value. */
function emitOptionalElements(g: Generator, { elements, optionalIndices }: ListExpr): Fragment {
  const list = g.hold('list', js`[]`);
  for (const [i, element] of elements.entries()) {
    const operand = g.emit(element);
    if (optionalIndices.includes(i)) whereHeld(g, operand, (held) => g.writer.line(js`${list}.push(${boxed(g, held)});`));
    else g.writer.line(js`${list}.push(${boxed(g, operand)});`);
  }
  return list;
}

/**
 * Emits a map literal. Entries after a failing entry are not evaluated. A later entry replaces an earlier entry with the same key.
 */
function emitMap(g: Generator, node: MapExpr): Operand {
  const value = foldedValue(g, node);
  const type = g.typeOf(node);
  if (value !== undefined) return emitValue(g, value, type);
  g.runsLong = true;
  return withCreation(g, MAP_CREATION, () => ({ code: emitEntries(g, node), shape: { kind: 'value', type } }));
}

function emitEntries(g: Generator, node: MapExpr): Fragment {
  const map = g.hold('map', js`new ${g.constants.name(EntryMap)}()`);
  for (const entry of node.entries) {
    const key = g.hold('key', boxed(g, g.emit(entry.key)));
    const operand = g.emit(entry.value);
    // Kubernetes panics for an unhashable key. Then the generated code gives up, and the interpreter reports the panic.
    g.writer.bail(js`${g.constants.name(isUnhashable)}(${key})`);
    const set = (held: Operand): void => g.writer.line(js`${map}.set(${key}, ${boxed(g, held)});`);
    if (entry.optional) whereHeld(g, operand, set, () => g.writer.line(js`${map}.delete(${key});`));
    else set(operand);
  }
  return map;
}

/**
 * Emits a message literal. Fields after a failing field are not evaluated. A later field replaces an earlier field with the same name.
 */
function emitMessage(g: Generator, node: StructExpr): Operand {
  const message = g.environment.messages(node.typeName);
  if (message === undefined) return g.giveUp('a message of an unknown type');
  if (message.valueType !== undefined) return g.giveUp('a message that becomes a plain value');
  g.runsLong = true;
  const fields = withCreation(g, MESSAGE_CREATION, () => emitFields(g, node));
  const made = g.hold('value', js`${g.constants.name(message)}.make(${fields})`);
  // If a field has the wrong value, the generated code gives up, and the interpreter reports the error.
  g.writer.bail(isError(g, made));
  return { code: made, shape: { kind: 'value', type: g.typeOf(node) } };
}

function emitFields(g: Generator, node: StructExpr): Fragment {
  const fields = g.hold('map', js`new ${g.constants.name(Map)}()`);
  for (const field of node.fields) {
    const operand = g.emit(field.value);
    const name = g.constants.name(field.name);
    const set = (held: Operand): void => g.writer.line(js`${fields}.set(${name}, ${boxed(g, held)});`);
    if (field.optional) whereHeld(g, operand, set, () => g.writer.line(js`${fields}.delete(${name});`));
    else set(operand);
  }
  return fields;
}

/**
 * Emits a branch that depends on whether an optional has a value. `write` emits the code that uses the value, and `otherwise` emits the
 * code for an optional without a value.
 */
function whereHeld(g: Generator, operand: Operand, write: (held: Operand) => void, otherwise?: () => void): void {
  const optional = asOptional(g, operand);
  if (optional?.shape.kind !== 'optional') return void g.giveUp('an optional that no type shows');
  const held: Operand = { code: optional.code, shape: optional.shape.of, unproven: optional.shape.of.kind === 'rawObject' };
  g.writer.branch(js`${optional.code} !== undefined`, () => write(held), otherwise);
}

/**
 * Emits the call `a.orValue(b)`, or the call `a.or(b)` of two optionals. `b` is evaluated only if `a` is empty. The call itself
 * costs nothing.
 */
function emitOptionalOr(g: Generator, node: CallExpr, method: 'or' | 'orValue'): Operand {
  const unwraps = method === 'orValue';
  const [left, right] = (node.target === undefined ? node.args : [node.target, ...node.args]) as readonly [Expr, Expr];
  const first = asOptional(g, g.emit(left));
  if (first?.shape.kind !== 'optional') return g.giveUp('an optional that no type shows');
  const held: Operand = { code: first.code, shape: first.shape.of };
  const { writer } = g;
  const result = g.names.fresh('value');
  writer.line(js`let ${result};`);
  let keep = writer.later();
  let second: Operand | undefined;
  let take = writer.later();
  writer.branch(
    js`${first.code} !== undefined`,
    () => (keep = writer.later()),
    () => {
      const taken = g.emit(right);
      second = unwraps ? taken : asOptional(g, taken);
      if (second === undefined) g.giveUp('an optional that no type shows');
      take = writer.later();
    },
  );
  if (second === undefined) return first;
  const other: Operand = second;
  const otherShape = other.shape.kind === 'optional' && !unwraps ? other.shape.of : other.shape;
  const shape = commonShape(held.shape, otherShape);
  if (shape === undefined && (held.shape.kind === 'rawObject' || other.unproven === true))
    return g.giveUp('a choice between an object and something else');
  keep(js`${result} = ${shape === undefined ? boxed(g, held) : held.code};`);
  take(js`${result} = ${shape === undefined ? boxedOther(g, other, otherShape, method) : other.code};`);
  const type = g.typeOf(node);
  const joint: Shape = shape ?? { kind: 'value', type: type.kind === 'optional' && !unwraps ? type.value : type };
  return { code: result, shape: unwraps ? joint : { kind: 'optional', of: joint }, unproven: joint.kind === 'rawObject' };
}

/**
 * Returns the right operand of `a.orValue(b)` as a CEL value. For `a.or(b)`, returns the value in the right optional, or undefined if the
 * optional is empty.
 */
function boxedOther(g: Generator, other: Operand, held: Shape, method: 'or' | 'orValue'): Fragment {
  if (method === 'orValue' || other.shape.kind !== 'optional') return boxed(g, other);
  return js`${other.code} === undefined ? undefined : ${boxed(g, { code: other.code, shape: held })}`;
}
