import { js } from '../../library/code/javascript.ts';
import { boxed } from './boxing.ts';
import { emitNode } from './emit.ts';
import { Generator, TOO_LONG } from './generator.ts';
import { rawShape, readRaw } from './raw-data.ts';
import type { CheckedExpression } from '../../language/check/checked.ts';
import type { Environment } from '../../language/environment.ts';
import type { DeclaredType } from '../../values/schema/declared-type.ts';
import type { CelType } from '../../values/types/type.ts';
import type { Reading } from './generator.ts';
import type { Fragment } from '../../library/code/javascript.ts';
import type { Operand, Shape } from '../../library/code/shape.ts';

/** Generated code with the values it refers to, or why there is none. */
export type Generated =
  | { readonly ok: true; readonly source: string; readonly constants: readonly unknown[]; readonly runsLong: boolean }
  | { readonly ok: false; readonly obstacle: string };

/** V8 optimises no function whose source is much longer. */
const MAX_SOURCE = 30_000;

/**
 * Turns an expression into a JavaScript function that gives its value and leaves its exact cost in `run`. The function covers what rules
 * usually meet; where it meets anything else (data of a wrong type, ints beyond the safe range, a limit exceeded) it gives up, and the
 * interpreter evaluates from the start.
 */
export function generate(checked: CheckedExpression, environment: Environment, self: DeclaredType): Generated {
  const g = new Generator(checked, environment, emitNode);
  const type = selfType(checked, 'self');
  const oldType = selfType(checked, 'oldSelf');
  const bind = (name: string, operand: Operand): readonly [string, Reading] => [name, () => operand];
  const bindings = [
    ...(type === undefined ? [] : [bind('self', readVariable(g, js`self`, self, type))]),
    ...(oldType === undefined ? [] : [bind('oldSelf', readVariable(g, js`oldSelf`, self, oldType))]),
  ];
  const value = g.within(bindings, () => boxed(g, g.emit(checked.root)));
  if (g.obstacle !== undefined) return { ok: false, obstacle: g.obstacle };
  g.writer.flush();
  g.writer.line(js`run.cost = cost;`);
  g.writer.line(js`return ${value};`);
  const source = functionSource(g);
  if (source.length > MAX_SOURCE) return { ok: false, obstacle: TOO_LONG };
  return { ok: true, source, constants: g.constants.values, runsLong: g.runsLong };
}

/** A variable: raw data, or a value that has been converted already. */
function readVariable(g: Generator, variable: Fragment, declared: DeclaredType, type: CelType): Operand {
  if (type.kind === 'optional') {
    if (g.environment.semantics.optionalsLoseSchemas) return g.giveUp('an old value without its schema');
    return readOptionalVariable(g, variable, declared, type.value);
  }
  const { schema } = declared;
  if (rawShape(schema, type).kind === 'rawObject') g.writer.bail(js`${variable} === undefined`);
  if (schema.intOrString || rawShape(schema, type).kind !== 'value') return readRaw(g, variable, schema, type);
  g.writer.bail(js`${variable} === undefined || ${variable} === null`);
  return { code: variable, shape: { kind: 'value', type } };
}

/** A variable that may be absent; what it holds is tested where it is there. */
function readOptionalVariable(g: Generator, variable: Fragment, declared: DeclaredType, type: CelType): Operand {
  const out = g.names.fresh('out');
  g.writer.line(js`let ${out};`);
  let shape: Shape = { kind: 'value', type };
  g.writer.branch(js`${variable} !== undefined`, () => {
    const held = readVariable(g, variable, declared, type);
    g.writer.line(js`${out} = ${held.code};`);
    shape = held.shape;
  });
  return { code: out, shape: { kind: 'optional', of: shape } };
}

function functionSource(g: Generator): string {
  const lines: Fragment[] = [...g.constants.declarations(), js`return function rule(self, oldSelf, limit, token, run) {`];
  const head = lines.map(({ source }) => source).join('\n');
  return `"use strict";\n${head}\n  let cost = 0;\n${g.writer.source()}\n};`;
}

/** The static type of a variable where the expression mentions it. */
function selfType(checked: CheckedExpression, variable: string): CelType | undefined {
  for (const [id, reference] of checked.references)
    if (reference.name === variable && isVariable(checked, id)) return checked.types.get(id);
  return undefined;
}

const isVariable = (checked: CheckedExpression, id: number): boolean => checked.types.get(id)?.kind !== 'type';
