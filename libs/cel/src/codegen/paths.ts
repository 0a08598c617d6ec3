import { formatValue } from '../runtime/format-value.ts';
import { unescapeFieldName } from '../runtime/field-name.ts';
import { CelError } from '../runtime/value.ts';
import { isChoice, isIndexing, isOptionalStep } from './operators.ts';
import { emitOptionalSteps } from './optional-paths.ts';
import { boxed, isError, unboxed } from './boxing.ts';
import { js } from './javascript.ts';
import { listAccess } from './list-access.ts';
import { isNoObject, prove, readRaw } from './raw-data.ts';
import { BOOL_SHAPE } from './shape.ts';
import type { CelValue } from '../runtime/value.ts';
import type { CallExpr, Expr, SelectExpr } from '../syntax/ast.ts';
import type { ValueSchema } from '../schema/value-schema.ts';
import type { CelType } from '../types/type.ts';
import type { Generator } from './generator.ts';
import type { Fragment } from './javascript.ts';
import type { Operand } from './shape.ts';

/** What following a chain of names, fields and indexes costs beside its steps. */
const CHAIN = 1;
const STEP = 1;

const noSuchKey = (key: CelValue): CelError => new CelError(`no such key: ${formatValue(key)}`);
const outOfBounds = (index: CelValue): CelError => new CelError(`index out of bounds: ${formatValue(index)}`);

/** True for nodes that stand in a chain: a branch of `?:` and an index key that are one do not pay for the chain itself. */
function isChain(node: Expr): boolean {
  return node.kind === 'ident' || node.kind === 'select' || isIndexing(node) || isOptionalStep(node);
}

/** `a.b[c]`: one unit for the chain and one for each step, the failing one included. */
export function emitChain(g: Generator, node: Expr): Operand {
  g.writer.charge(CHAIN);
  return emitSteps(g, node);
}

/** A chain without its own unit, or any other expression. */
export function emitSteps(g: Generator, node: Expr): Operand {
  if (node.kind === 'ident') return emitName(g, node.name);
  if (node.kind === 'select' && node.testOnly) return emitPresence(g, node);
  if (g.typeOf(node).kind === 'optional') return emitOptionalSteps(g, node, (part) => emitPart(g, part));
  if (isOptionalStep(node)) return g.giveUp('an optional step into a value whose type is not known');
  if (node.kind === 'select') {
    const base = emitBase(g, node.operand);
    g.writer.charge(STEP);
    return emitField(g, base, node.field, g.typeOf(node));
  }
  return isIndexing(node) ? emitIndex(g, node) : g.emit(node);
}

/** A chain without its own unit where the node is one. */
export function emitPart(g: Generator, node: Expr): Operand {
  return isChain(node) ? emitSteps(g, node) : g.emit(node);
}

function emitName(g: Generator, name: string): Operand {
  return g.read(name) ?? g.giveUp('a name that looks past comprehension variables');
}

/** What a step leads on from. */
function emitBase(g: Generator, node: Expr): Operand {
  const { kind } = g.typeOf(node);
  if (kind === 'optional') return g.giveUp('selection from an optional value');
  if (node.kind === 'select' && node.testOnly) return g.emit(node);
  if (isChoice(node)) return g.giveUp('selection from a choice');
  return emitPart(g, node);
}

function emitField(g: Generator, base: Operand, field: string, type: CelType): Operand {
  const { shape } = base;
  switch (shape.kind) {
    case 'rawObject': {
      const { name, schema } = property(shape.schema, field);
      if (schema === undefined) return g.giveUp('a field without a schema');
      const raw = g.hold('found', js`${base.code}[${g.constants.name(name)}]`);
      const absent = js`${raw} === undefined || ${raw} === null`;
      g.writer.fail(g.constants.name(noSuchKey(field)), absent, proofOfAbsence(g, base, name));
      return readRaw(g, raw, schema, type);
    }
    case 'rawMap':
      return readEntry(g, base.code, g.constants.name(field), g.constants.name(noSuchKey(field)), shape.schema, type);
    case 'value':
      if (shape.type.kind !== 'map') return g.giveUp('selection from a value whose type is not known');
      return readMadeEntry(g, base.code, g.constants.name(field), g.constants.name(noSuchKey(field)), type);
    default:
      return g.giveUp('selection from a scalar');
  }
}

/** Properties that lists and floats have as well as objects. */
const SHARED_PROPERTIES: ReadonlySet<string> = new Set(['length', 'value']);

/** A missing field has to be missing from an object: what to run where it is missing. */
function proofOfAbsence(g: Generator, base: Operand, name: string): Fragment {
  if (base.unproven !== true) return js``;
  if (!SHARED_PROPERTIES.has(name)) return js`if (${isNoObject(g, base.code)}) return undefined; `;
  prove(g, base);
  return js``;
}

function property(schema: ValueSchema, field: string): { name: string; schema: ValueSchema | undefined } {
  const name = unescapeFieldName(field) ?? field;
  return { name, schema: schema.properties?.get(name) };
}

/** The value under a key of a raw map. A null is the interpreter's business. */
function readEntry(g: Generator, map: Fragment, key: Fragment, missing: Fragment, schema: ValueSchema, type: CelType): Operand {
  const raw = g.hold('found', js`${map}[${key}]`);
  g.writer.fail(missing, js`${raw} === undefined`);
  return readRaw(g, raw, schema.additionalProperties!, type);
}

/** The value under a key of a map that CEL made. */
function readMadeEntry(g: Generator, map: Fragment, key: Fragment, missing: Fragment, type: CelType): Operand {
  const found = g.hold('found', js`${map}.get(${key})`);
  g.writer.fail(missing, js`${found} === undefined`);
  g.writer.fail(found, isError(g, found));
  return unboxed(g, found, type);
}

function emitIndex(g: Generator, node: CallExpr): Operand {
  const [operand, keyNode] = node.args as readonly [Expr, Expr];
  const base = emitBase(g, operand);
  g.writer.charge(STEP);
  const key = emitPart(g, keyNode);
  const type = g.typeOf(node);
  const { shape } = base;
  switch (shape.kind) {
    case 'rawList':
    case 'array':
      return emitItem(g, base, key, type);
    case 'rawMap': {
      if (key.shape.kind !== 'string') return g.giveUp('a key that is no string');
      return readEntry(g, base.code, key.code, js`${g.constants.name(noSuchKey)}(${key.code})`, shape.schema, type);
    }
    case 'value':
      return emitMadeIndex(g, base.code, shape.type, key, type);
    default:
      return g.giveUp('indexing of a scalar or an object');
  }
}

function emitMadeIndex(g: Generator, base: Fragment, container: CelType, key: Operand, type: CelType): Operand {
  if (container.kind === 'map' && key.shape.kind !== 'value') {
    const boxedKey = g.hold('key', boxed(g, key));
    return readMadeEntry(g, base, boxedKey, js`${g.constants.name(noSuchKey)}(${boxedKey})`, type);
  }
  if (container.kind !== 'list') return g.giveUp('indexing of a value whose type is not known');
  return emitItem(g, { code: base, shape: { kind: 'value', type: container } }, key, type);
}

function emitItem(g: Generator, base: Operand, key: Operand, type: CelType): Operand {
  const list = listAccess(g, base, type);
  if (list === undefined || key.shape.kind !== 'int') return g.giveUp('an index that is no int');
  checkBounds(g, key.code, list.size);
  return list.item(key.code);
}

function checkBounds(g: Generator, index: Fragment, size: Fragment): void {
  g.writer.fail(js`${g.constants.name(outOfBounds)}(${index})`, js`!(${index} >= 0 && ${index} < ${size})`);
}

/** `has(a.b)`: one unit a step, none for the chain. */
function emitPresence(g: Generator, node: SelectExpr): Operand {
  const base = emitBase(g, node.operand);
  g.writer.charge(STEP);
  const { shape } = base;
  if (shape.kind !== 'rawObject' && shape.kind !== 'rawMap') return g.giveUp('presence in a value that CEL made');
  const { name, schema } =
    shape.kind === 'rawMap' ? { name: node.field, schema: shape.schema.additionalProperties } : property(shape.schema, node.field);
  if (schema === undefined) return g.giveUp('presence of a field without a schema');
  const raw = g.hold('found', js`${base.code}[${g.constants.name(name)}]`);
  const absent = shape.kind === 'rawMap' ? js`${raw} === undefined` : js`${raw} === undefined || ${raw} === null`;
  const proof = shape.kind === 'rawObject' ? proofOfAbsence(g, base, name) : js``;
  const there = g.hold('test', js`!(${absent})`);
  // A field that is there but does not fit its schema makes the test fail.
  const read = (): void => {
    prove(g, readRaw(g, raw, schema, { kind: 'dyn' }));
  };
  g.writer.branch(there, read, base.unproven === true ? () => g.writer.line(proof) : undefined);
  return { code: there, shape: BOOL_SHAPE };
}
