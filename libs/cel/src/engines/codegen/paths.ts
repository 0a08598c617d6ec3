import { formatValue } from '../../values/format-value.ts';
import { unescapeFieldName } from '../../values/schema/field-name.ts';
import { CelError, Optional } from '../../values/value.ts';
import { boxed, asOptional } from './boxing.ts';
import { js } from '../../library/code/javascript.ts';
import { listAccess } from './list-access.ts';
import { isMadePresent, readMade, failedStepUnits, readMadeIfPresent } from './made-values.ts';
import { isNoObject, proveObject, testPresence } from '../../library/code/site.ts';
import { CHAIN, STEP } from '../../library/step-prices.ts';
import { isKnownField, isSharedProperty, readRaw } from './raw-data.ts';
import { BOOL_SHAPE } from '../../library/code/shape.ts';
import type { CelValue } from '../../values/value.ts';
import type { CallExpr, Expr, SelectExpr } from '../../language/syntax/ast.ts';
import type { ValueSchema } from '../../values/schema/value-schema.ts';
import type { CelType } from '../../values/types/type.ts';
import type { Generator } from './generator.ts';
import type { Fragment } from '../../library/code/javascript.ts';
import type { Operand, Shape } from '../../library/code/shape.ts';
import { DYN, optionalOf } from '../../values/types/type.ts';
import { PLANNED_FUNCTIONS } from '../../library/all.ts';

const noSuchKey = (key: CelValue): CelError => new CelError(`no such key: ${formatValue(key)}`);
const outOfBounds = (index: CelValue): CelError => new CelError(`index out of bounds: ${formatValue(index)}`);

/**
 * Returns true if the node is a chain of selections, such as `a.b[c]`. If such a node is a branch of `?:` or an index key, the base cost of
 * one unit for a chain is not charged.
 */
function isChain(node: Expr): boolean {
  return node.kind === 'ident' || node.kind === 'select' || isIndexing(node) || isOptionalStep(node);
}

/**
 * Emits code for a chain of selections such as `a.b[c]`. The emitted code charges one cost unit for the chain and one for each selection,
 * including a selection that fails.
 */
export function emitChain(g: Generator, node: Expr): Operand {
  if (!startsWithChoice(node)) g.writer.charge(CHAIN);
  return emitSteps(g, node);
}

/**
 * Returns true if a chain of selections starts with a conditional, as in `(c ? a : b).d`. For such a chain, the base cost of one unit is
 * not charged.
 */
function startsWithChoice(node: Expr): boolean {
  if (node.kind === 'select') return startsWithChoice(node.operand);
  return isChoice(node) || ((isIndexing(node) || isOptionalStep(node)) && startsWithChoice((node as CallExpr).args[0]!));
}

/**
 * Emits a chain of selections, such as `a.b[c]`, without charging the base cost of one unit for a chain. Emits any other expression as
 * usual.
 */
export function emitSteps(g: Generator, node: Expr): Operand {
  if (node.kind === 'ident') return emitName(g, node.name);
  if (node.kind === 'select' && node.testOnly) return emitPresence(g, node);
  if (isOptionalStep(node) || g.typeOf(node).kind === 'optional') return emitOptionalSteps(g, node, (part) => emitPart(g, part));
  if (node.kind === 'select') {
    const base = emitBase(g, node.operand);
    g.writer.charge(STEP);
    return emitField(g, base, node.field, g.typeOf(node));
  }
  return isIndexing(node) ? emitIndex(g, node) : g.emit(node);
}

/**
 * Emits a branch of `?:` or an index key. If the node is a chain of selections, such as `a.b[c]`, the base cost of one unit for a chain is
 * not charged.
 */
export function emitPart(g: Generator, node: Expr): Operand {
  // Kubernetes resolves `has(a.?b.c)` without its last step if it is a branch or a key. So its value is the optional itself, and not a
  // bool.
  if (node.kind === 'select' && node.testOnly && g.typeOf(node.operand).kind === 'optional')
    return g.giveUp('presence behind an optional, as a branch or a key');
  return isChain(node) ? emitSteps(g, node) : g.emit(node);
}

function emitName(g: Generator, name: string): Operand {
  const operand = g.read(name);
  if (operand === undefined) return g.giveUp('a name that looks past comprehension variables');
  return g.environment.semantics.optionalsLoseSchemas ? withoutOptionals(g, operand) : operand;
}

/**
 * Returns the operand. If it is an optional, the interpreter must evaluate the expression instead, because reading an optional removes the
 * schema from its value.
 */
function withoutOptionals(g: Generator, operand: Operand): Operand {
  const { code, shape } = operand;
  if (shape.kind === 'optional' || (shape.kind === 'value' && shape.type.kind === 'optional'))
    return g.giveUp('an optional that loses its schema');
  if (shape.kind === 'value' && shape.type.kind !== 'list' && shape.type.kind !== 'map')
    g.writer.bail(js`${code} instanceof ${g.constants.name(Optional)}`);
  return operand;
}

/** Emits the expression from whose value a field or element is selected. */
function emitBase(g: Generator, node: Expr): Operand {
  return node.kind === 'select' && node.testOnly ? g.emit(node) : emitPart(g, node);
}

function emitField(g: Generator, base: Operand, field: string, type: CelType): Operand {
  const { shape } = base;
  if (shape.kind === 'rawMap') {
    const raw = readEntry(g, base.code, g.constants.name(field), g.constants.name(noSuchKey(field)));
    return readRaw(g, raw, shape.schema.additionalProperties!, type);
  }
  if (shape.kind !== 'rawObject') return readMade(g, base, g.constants.name(field), type);
  const { name, schema } = property(shape.schema, field);
  if (schema === undefined) return g.giveUp('a field without a schema');
  const raw = g.readField(base.code, name);
  const absent = js`${raw} === undefined || ${raw} === null`;
  if (!isKnownField(g, shape.schema, name)) g.writer.fail(g.constants.name(noSuchKey(field)), absent, proofOfAbsence(g, base, name));
  return readRaw(g, raw, schema, type);
}

/**
 * Returns code that runs if a field is missing. If it is not yet proven that the base is an object, the code tests this. If the base is not
 * an object, the code returns undefined, and the interpreter evaluates the expression.
 */
function proofOfAbsence(g: Generator, base: Operand, name: string): Fragment {
  if (base.unproven !== true) return js``;
  if (!isSharedProperty(name)) return js`if (${isNoObject(g, base.code)}) return undefined; `;
  proveObject(g, base);
  return js``;
}

function property(schema: ValueSchema, field: string): { name: string; schema: ValueSchema | undefined } {
  const name = unescapeFieldName(field) ?? field;
  return { name, schema: schema.properties?.get(name) };
}

/** Emits a read of the value under a key of a raw map. A missing key is an error. The caller must handle a null. */
function readEntry(g: Generator, map: Fragment, key: Fragment, missing: Fragment): Fragment {
  const raw = g.hold('found', js`${map}[${key}]`);
  g.writer.fail(missing, js`${raw} === undefined`);
  return raw;
}

function emitIndex(g: Generator, node: CallExpr): Operand {
  const [operand, keyNode] = node.args as readonly [Expr, Expr];
  const base = emitBase(g, operand);
  g.writer.charge(STEP);
  const key = emitPart(g, keyNode);
  const type = g.typeOf(node);
  const { shape } = base;
  if (shape.kind === 'rawMap' && key.shape.kind === 'string') {
    const raw = readEntry(g, base.code, key.code, js`${g.constants.name(noSuchKey)}(${key.code})`);
    return readRaw(g, raw, shape.schema.additionalProperties!, type);
  }
  const list = key.shape.kind === 'int' ? listAccess(g, base, type) : undefined;
  if (list === undefined) return readMade(g, base, g.hold('key', boxed(g, key)), type);
  checkBounds(g, key.code, list.size);
  return list.item(key.code);
}

function checkBounds(g: Generator, index: Fragment, size: Fragment): void {
  g.writer.fail(js`${g.constants.name(outOfBounds)}(${index})`, js`!(${index} >= 0 && ${index} < ${size})`);
}

/** Emits `has(a.b)`. It costs one unit for each selection. The base cost of one unit for a chain is not charged. */
function emitPresence(g: Generator, node: SelectExpr): Operand {
  if (startsWithChoice(node)) return g.giveUp('a presence test of a choice, which takes a unit back');
  if (g.typeOf(node.operand).kind === 'optional') {
    const found = emitOptionalSteps(g, node, (part) => emitPart(g, part));
    return testPresence(g, found);
  }
  const base = emitBase(g, node.operand);
  g.writer.charge(STEP);
  const { shape } = base;
  if (shape.kind !== 'rawObject' && shape.kind !== 'rawMap') return isMadePresent(g, base, g.constants.name(node.field));
  const { name, schema } =
    shape.kind === 'rawMap' ? { name: node.field, schema: shape.schema.additionalProperties } : property(shape.schema, node.field);
  if (schema === undefined) return g.giveUp('presence of a field without a schema');
  const raw = shape.kind === 'rawMap' ? g.hold('found', js`${base.code}[${g.constants.name(name)}]`) : g.readField(base.code, name);
  const absent = shape.kind === 'rawMap' ? js`${raw} === undefined` : js`${raw} === undefined || ${raw} === null`;
  const proof = shape.kind === 'rawObject' ? proofOfAbsence(g, base, name) : js``;
  const there = g.hold('test', js`!(${absent})`);
  // If the field is present but does not fit its schema, the generated code gives up, and the interpreter reports the error.
  const read = (): void => {
    proveObject(g, readRaw(g, raw, schema, { kind: 'dyn' }));
  };
  g.writer.branch(there, read, base.unproven === true ? () => g.writer.line(proof) : undefined);
  return { code: there, shape: BOOL_SHAPE };
}

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
function emitOptionalSteps(g: Generator, node: Expr, emitPart: (part: Expr) => Operand): Operand {
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
      // In `out`, undefined means that the whole chain is empty. So an optional at the end of the chain becomes a CEL value, which is not
      // undefined even if it is empty.
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

/** Returns true if the node is a conditional `c ? a : b`. */
function isChoice(node: Expr): boolean {
  return node.kind === 'call' && PLANNED_FUNCTIONS.get(node.function) === 'conditional';
}

/** Returns true if the node is an optional selection `a.?b` or `a[?b]`. */
function isOptionalStep(node: Expr): boolean {
  return node.kind === 'call' && PLANNED_FUNCTIONS.get(node.function) === 'optionalIndex';
}

/** Returns true if the node is an index expression `a[b]`. */
function isIndexing(node: Expr): node is CallExpr {
  return node.kind === 'call' && PLANNED_FUNCTIONS.get(node.function) === 'index';
}
