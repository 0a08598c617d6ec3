import { compileRegex } from '#go';
import { COPYING_CALLS } from '../../library/extensions/list-operations.ts';
import { PATTERN_FUNCTIONS } from '../../library/all.ts';
import { priceOf } from '../interpret/call-nodes.ts';
import { implementationOf } from '../interpret/dispatch.ts';
import { typeParameters } from '../../values/types/type.ts';
import type { CelType } from '../../values/types/type.ts';
import { boxed, isError, unboxed } from './boxing.ts';
import { foldedValue } from './folded-value.ts';
import { joined, js } from '../../library/code/javascript.ts';
import { STRING_SHAPE } from '../../library/code/shape.ts';
import { UNSTATED_CALL } from '../../library/step-prices.ts';
import type { DeclaredFunction } from '../../language/check/declarations.ts';
import { ContextCall } from '../../library/define.ts';
import type { InlineCall } from '../../library/code/site.ts';
import type { CallPrice, Measure, Overload } from '../../library/define.ts';
import type { Implementation } from '../interpret/dispatch.ts';
import type { CelValue } from '../../values/value.ts';
import type { CallExpr, Expr } from '../../language/syntax/ast.ts';
import type { Generator } from './generator.ts';
import type { Fragment } from '../../library/code/javascript.ts';
import type { Operand } from '../../library/code/shape.ts';

/** Emits JavaScript code that calls a CEL function. Returns the operand with the result of the call. */
export function emitCall(g: Generator, node: CallExpr): Operand {
  const declared = g.environment.functions.get(node.function);
  const overloads = g.checked.references.get(node.id)?.overloads ?? [];
  if (declared === undefined || overloads.some(({ nonStrict }) => nonStrict)) return g.giveUp(`the function ${node.function}`);
  const operandNodes = node.target === undefined ? node.args : [node.target, ...node.args];
  if (overloads.some(({ call }) => COPYING_CALLS.has(call)) && losesTypes(g, operandNodes[0]!))
    return g.giveUp('a copy whose elements may have other types than the checker says');
  const pattern = operandNodes[1];
  const source = PATTERN_FUNCTIONS.has(node.function) && pattern !== undefined ? foldedValue(g, pattern) : undefined;
  if (typeof source === 'string') return emitPatternCall(g, node, operandNodes, source);
  const implementation = pricedOf(implementationOf(declared, overloads, operandNodes.length, node.id));
  const inline = overloads.length === 1 ? overloads[0]!.inline : undefined;
  if (implementation.variadic && (inline === undefined || operandNodes.length > 0))
    return emitVariadic(g, node, operandNodes, implementation);
  const operands =
    implementation.paysForErrors === true
      ? emitLoneOperand(g, operandNodes, UNSTATED_CALL)
      : emitOperands(g, operandNodes, implementation.measure);
  if (implementation.measure === undefined) g.writer.charge(UNSTATED_CALL);
  const written = inline === undefined ? undefined : emitInline(g, inline, operands, overloads[0]!.measure);
  if (written !== undefined) return written;
  const values = operands.map((operand) => hold(g, operand));
  const direct = overloads.length === 1 && isSettled(g, declared, overloads[0]!, operandNodes) ? overloads[0] : undefined;
  const args = joined(values, ', ');
  const call = direct === undefined ? js`${g.constants.name(implementation.call)}([${args}], run)` : directCall(g, direct, args);
  return finish(g, node, call, values, implementation.measure);
}

/** Kinds of types whose values are the same with and without a schema. */
const PLAIN_KINDS: ReadonlySet<CelType['kind']> = new Set(['string', 'int', 'bool']);

/** Returns true if a copy of the list that `node` computes may contain values of other types than the checker says. */
function losesTypes(g: Generator, node: Expr): boolean {
  const type = g.typeOf(node);
  return g.environment.semantics.copiesLoseSchemas && !(type.kind === 'list' && PLAIN_KINDS.has(type.element.kind));
}

/**
 * Emits a call as inline code. Returns undefined unless both the inline code of the function and its cost formula support the
 * representation of the operands. A call without a cost formula is charged earlier, so its inline code may fail. Inline code of a function
 * with a cost formula never fails.
 */
function emitInline(g: Generator, inline: InlineCall, operands: readonly Operand[], measure: Measure | undefined): Operand | undefined {
  const units = measure === undefined ? 0 : measure.emit?.(g, operands);
  if (units === undefined) return undefined;
  const written = inline(g, operands);
  if (written !== undefined) g.pay(units);
  return written;
}

/** Returns code that calls the function of an overload directly. */
function directCall(g: Generator, { call }: Overload, args: Fragment): Fragment {
  return call instanceof ContextCall ? js`${g.constants.name(call.apply)}(run, ${args})` : js`${g.constants.name(call)}(${args})`;
}

/**
 * Cache of cost functions, by `panics` and `measure` of the overload. If upstream panics while it computes the cost of a call, the cost
 * function throws. The interpreter then produces the error message.
 */
const PRICES = new WeakMap<NonNullable<Overload['panics']>, Map<CallPrice | undefined, CallPrice>>();

/**
 * Returns an implementation of a function. If upstream panics while it computes the cost of a call, the cost function of this
 * implementation throws.
 */
function pricedOf(implementation: Implementation): Implementation {
  const { measure, panics } = implementation;
  if (panics === undefined) return implementation;
  const known = PRICES.get(panics) ?? new Map<CallPrice | undefined, CallPrice>();
  PRICES.set(panics, known);
  const priced: CallPrice = known.get(measure) ?? ((args, result, costs) => priceOf(implementation, args, result, costs));
  known.set(measure, priced);
  return { ...implementation, measure: priced };
}

/** Emits a call of a function with a constant pattern. If the evaluation of the text argument fails, the call fails and costs nothing. */
function emitPatternCall(g: Generator, node: CallExpr, operandNodes: readonly Expr[], source: string): Operand {
  const applied = PATTERN_FUNCTIONS.get(node.function)!;
  const overloads = g.checked.references.get(node.id)?.overloads ?? [];
  const overload = overloads.length === 1 ? overloads[0] : undefined;
  const compiled = compileRegex(source);
  if (!compiled.ok) return g.giveUp('a constant pattern that fails');
  if (overload === undefined || operandNodes.length !== 2) {
    const measure = overload === undefined ? applied.measure : overload.measure;
    return emitVariadic(g, node, operandNodes, { call: (args: readonly CelValue[]) => applied.apply(compiled.regex, args), measure });
  }
  const text = g.emit(operandNodes[0]!);
  g.runsLong = true;
  if (text.shape.kind !== 'string') g.writer.bail(js`typeof ${boxed(g, text)} !== "string"`);
  const regex = g.constants.name(compiled.regex);
  const { measure } = overload;
  const pattern = { code: g.constants.name(source), shape: STRING_SHAPE, constant: source };
  const units = measure === undefined ? UNSTATED_CALL : measure.emit?.(g, [{ ...text, shape: STRING_SHAPE }, pattern]);
  if (applied.inline !== undefined && units !== undefined) {
    g.pay(units);
    const written = applied.inline(regex, text.code);
    // A regex test reads its text once, so the expression of the text can stay in place. Other calls may read the text several times.
    return written.shape.kind === 'string' ? { ...written, code: g.hold('value', written.code) } : written;
  }
  if (measure === undefined) g.writer.charge(UNSTATED_CALL);
  return finish(g, node, js`${g.constants.name(applied.apply)}(${regex}, [${text.code}])`, [text.code, pattern.code], measure);
}

/**
 * Emits a call of more than two arguments. The call fails with the error of the first failing argument. A failed call costs nothing. Before
 * 1.38, it has its cost if only the last argument failed.
 */
function emitVariadic(
  g: Generator,
  node: CallExpr,
  operandNodes: readonly Expr[],
  { call, measure }: { readonly call: (args: never, context: never) => unknown; readonly measure: CallPrice | undefined },
): Operand {
  const lastNode = g.failuresEndCalls ? undefined : operandNodes.at(-1);
  const values = operandNodes.filter((operand) => operand !== lastNode).map((operand) => hold(g, g.emit(operand)));
  const last = lastNode && g.attempt(() => g.emit(lastNode));
  if (measure === undefined) g.writer.charge(UNSTATED_CALL);
  if (last !== undefined) {
    const { operand, error } = last;
    if (error !== undefined) {
      const paid = measure === undefined ? js`` : js`cost += ${measured(g, measure, [...values, error], error)}; `;
      g.writer.fail(error, js`${error} !== undefined`, paid);
    }
    values.push(hold(g, operand));
  }
  return finish(g, node, js`${g.constants.name(call)}([${joined(values, ', ')}], run)`, values, measure);
}

/** Emits the call, the charge of its cost, and the test whether its result is an error. */
function finish(g: Generator, node: CallExpr, call: Fragment, values: readonly Fragment[], measure: CallPrice | undefined): Operand {
  g.runsLong = true;
  const value = g.hold('value', call);
  if (measure !== undefined) g.writer.line(js`cost += ${measured(g, measure, values, value)};`);
  g.writer.fail(value, isError(g, value));
  return unboxed(g, value, g.typeOf(node));
}

/** Returns code that computes the cost of a call from its evaluated arguments, which may be errors, and its result. */
export function measured(g: Generator, measure: CallPrice, values: readonly Fragment[], result: Fragment): Fragment {
  return js`${g.constants.name(measure)}([${joined(values, ', ')}], ${result}, ${g.constants.name(g.environment.costs)})`;
}

function hold(g: Generator, operand: Operand): Fragment {
  const value = boxed(g, operand);
  return value === operand.code ? value : g.hold('value', value);
}

/**
 * Emits all operands of a call. If an operand fails, its error is the result of the call. Before 1.38, the emitted code evaluates the other
 * operands nevertheless, and charges the cost of the call. If no operand fails, the caller charges the cost.
 *
 * @param emit Emits an operand.
 */
export function emitOperands(
  g: Generator,
  nodes: readonly Expr[],
  measure: CallPrice | undefined,
  emit: (node: Expr) => Operand = (node) => g.emit(node),
): Operand[] {
  if (g.failuresEndCalls) return nodes.map(emit);
  if (measure === undefined && nodes.filter(({ kind }) => kind !== 'constant').length <= 1)
    return emitLoneOperand(g, nodes, UNSTATED_CALL, emit);
  const attempts = nodes.map((node) => g.attempt(() => emit(node)));
  const errors = attempts.flatMap(({ error }) => (error === undefined ? [] : [error]));
  if (errors.length > 0) {
    const failed = joined(
      errors.map((error) => js`${error} !== undefined`),
      ' || ',
    );
    const first = joined(errors, ' ?? ');
    const values = attempts.map(({ operand, error }) => {
      if (error === undefined) return boxed(g, operand);
      return errors.length === 1 ? error : js`${error} ?? ${boxed(g, operand)}`;
    });
    const units = measure === undefined ? js`${UNSTATED_CALL}` : measured(g, measure, values, first);
    g.writer.fail(first, failed, js`cost += ${units}; `);
  }
  return attempts.map(({ operand }) => operand);
}

/**
 * Emits the operands of a call. The caller must ensure that at most one of them can fail. If it fails, the emitted code charges
 * `unitsOnFailure` cost units for the call and skips the rest of the call.
 */
export function emitLoneOperand(
  g: Generator,
  nodes: readonly Expr[],
  unitsOnFailure: number,
  emit: (node: Expr) => Operand = (node) => g.emit(node),
): Operand[] {
  return nodes.map((node) => g.writer.surcharged(unitsOnFailure, () => emit(node)));
}

/** Returns true if the overload need not test its arguments because the types of the operands are known precisely enough. */
function isSettled(g: Generator, { guard }: DeclaredFunction, { parameters }: Overload, operands: readonly Expr[]): boolean {
  if (guard === 'none') return true;
  return operands.every((operand, i) => parameters[i]?.kind === 'typeParameter' || isConcrete(g.typeOf(operand)));
}

/**
 * Kinds of static types that do not determine the type at run time. The null type is included, because the checker accepts null for types
 * to which null does not belong at run time.
 */
const UNSETTLED: ReadonlySet<CelType['kind']> = new Set(['dyn', 'any', 'typeParameter', 'null']);

/**
 * Returns true if a value of the static type needs no test at run time. Types with parameters, such as lists, need a test: elements may be
 * null or malformed, and the type may have been derived from a dyn.
 */
const isConcrete = (type: CelType): boolean => !UNSETTLED.has(type.kind) && typeParameters(type).length === 0;
