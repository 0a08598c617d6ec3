import { unescapeFieldName } from '../../values/schema/field-name.ts';
import { DYN, optionalOf } from '../../values/types/type.ts';
import { asOptional, boxed } from './boxing.ts';
import { failedStepUnits, readMadeIfPresent } from './made-values.ts';
import { isIndexing, isOptionalStep } from './operators.ts';
import { isNoObject, proveObject } from '../../library/code/site.ts';
import { isSharedProperty, readRaw } from './raw-data.ts';
import { js } from '../../library/code/javascript.ts';
import { STEP } from '../../library/step-prices.ts';
import type { Expr } from '../../language/syntax/ast.ts';
import type { Generator } from './generator.ts';
import type { Fragment } from '../../library/code/javascript.ts';
import type { Operand, Shape } from '../../library/code/shape.ts';

/** One selection in an expression such as `a.?b.c`: the node of the selection, and its field name or key expression. */
interface Step {
  readonly node: Expr;
  readonly key: Expr | string;
}

/**
 * Emits code for a chain of selections, such as `a.?b.c`, that contains an optional selection or starts with an optional value. If a value
 * is missing at the first optional selection or later, the result is an empty optional. `emitPart` emits the code of the start of the chain
 * and of computed keys.
 */
export function emitOptionalSteps(g: Generator, node: Expr, emitPart: (part: Expr) => Operand): Operand {
  const steps: Step[] = [];
  let base = node;
  for (let step = stepOf(g, base); step !== undefined; step = stepOf(g, base)) {
    steps.unshift({ node: base, key: step.key });
    base = step.operand;
  }
  const first = emitPart(base);
  const start = asOptional(g, first) ?? first;
  const out = g.names.fresh('out');
  g.writer.line(js`let ${out};`);
  let shape: Shape | undefined;
  const walk = (at: number, operand: Operand): void => {
    const step = steps[at];
    if (step === undefined) {
      // An inner optional is stored as a value. Otherwise an empty inner optional would look like an absent outer one.
      const held: Operand =
        operand.shape.kind === 'optional' ? { code: boxed(g, operand), shape: { kind: 'value', type: optionalOf(DYN) } } : operand;
      g.writer.line(js`${out} = ${held.code};`);
      shape = held.shape;
    } else emitStep(g, operand, step, emitPart, (next) => walk(at + 1, next));
  };
  if (start.shape.kind === 'optional') {
    const held: Operand = { code: start.code, shape: start.shape.of, unproven: start.shape.of.kind === 'rawObject' };
    g.writer.branch(js`${start.code} !== undefined`, () => walk(0, held));
  } else walk(0, start);
  return shape === undefined
    ? g.giveUp('an optional chain over values that CEL made')
    : { code: out, shape: { kind: 'optional', of: shape } };
}

/**
 * Returns the operand and the key of a selection in the optional part of an expression such as `a.?b.c`. Returns undefined if the node is
 * the start of the optional part.
 */
function stepOf(g: Generator, node: Expr): { readonly operand: Expr; readonly key: Expr | string } | undefined {
  if (node.kind === 'select' && g.typeOf(node.operand).kind === 'optional') return { operand: node.operand, key: node.field };
  if (g.typeOf(node).kind !== 'optional' && !isOptionalStep(node)) return undefined;
  if (node.kind !== 'call' || !(isOptionalStep(node) || (isIndexing(node) && g.typeOf(node.args[0]!).kind === 'optional')))
    return undefined;
  const [operand, key] = node.args as readonly [Expr, Expr];
  return { operand, key: key.kind === 'constant' && key.constant.type === 'string' ? key.constant.value : key };
}

/**
 * Emits one selection of a field or element. If the value is present, the code charges the cost of the selection and runs the code that
 * `follow` emits. A missing value costs nothing.
 */
function emitStep(
  g: Generator,
  base: Operand,
  { node, key }: Step,
  emitPart: (part: Expr) => Operand,
  follow: (found: Operand) => void,
): void {
  const emitKey = (part: Expr): Operand => g.writer.surcharged(failedStepUnits(g), () => emitPart(part));
  const type = node.kind === 'select' && node.testOnly ? DYN : g.typeOf(node);
  const inner = type.kind === 'optional' ? type.value : type;
  const { shape } = base;
  const go = (raw: Fragment, present: Fragment, schema: Parameters<typeof readRaw>[2], otherwise?: () => void): void =>
    g.writer.branch(
      present,
      () => {
        g.writer.charge(STEP);
        follow(readRaw(g, raw, schema, inner));
      },
      otherwise,
    );
  if (shape.kind === 'rawObject' && typeof key === 'string') {
    const name = unescapeFieldName(key) ?? key;
    const schema = shape.schema.properties?.get(name);
    if (schema === undefined) return void g.giveUp('a field without a schema');
    if (isSharedProperty(name)) proveObject(g, base);
    const raw = g.hold('found', js`${base.code}[${g.constants.name(name)}]`);
    const unproven = base.unproven === true ? () => g.writer.bail(isNoObject(g, base.code)) : undefined;
    go(raw, js`${raw} !== undefined && ${raw} !== null`, schema, unproven);
  } else if (shape.kind === 'rawMap' && (typeof key === 'string' || g.typeOf(key).kind === 'string')) {
    const raw = g.hold('found', js`${base.code}[${typeof key === 'string' ? g.constants.name(key) : emitKey(key).code}]`);
    go(raw, js`${raw} !== undefined`, shape.schema.additionalProperties!);
  } else if (shape.kind === 'rawList' && typeof key !== 'string' && g.typeOf(key).kind === 'int') {
    const index = emitKey(key);
    const raw = g.hold('found', js`${base.code}[${index.code}]`);
    go(raw, js`${index.code} >= 0 && ${index.code} < ${base.code}.length`, shape.schema.items!);
  } else {
    const made = typeof key === 'string' ? g.constants.name(key) : g.hold('key', boxed(g, emitKey(key)));
    readMadeIfPresent(g, base, made, inner, (found) => {
      g.writer.charge(STEP);
      follow(found);
    });
  }
}
