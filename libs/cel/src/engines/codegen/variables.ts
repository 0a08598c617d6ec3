import { js } from '../../library/code/javascript.ts';
import { isError, unboxed } from './boxing.ts';
import { rawShape, readRaw } from './raw-data.ts';
import type { Fragment } from '../../library/code/javascript.ts';
import type { Operand, Shape } from '../../library/code/shape.ts';
import type { CheckedExpression } from '../../language/check/checked.ts';
import type { DeclaredType } from '../../values/schema/declared-type.ts';
import type { CelType } from '../../values/types/type.ts';
import { SELF_VARIABLE } from './generator.ts';
import type { Generator, EmitRead } from './generator.ts';

/**
 * Variables that generated code can read. A rule has `self` and `oldSelf`, which are data with a schema. The variables of any other
 * expression are CEL values by name, of which only the static types are known.
 */
export type CodeVariables =
  | { readonly kind: 'rule'; readonly self: DeclaredType }
  | { readonly kind: 'named'; readonly types: ReadonlyMap<string, CelType> };

/** Pairs of a name in scope and the function that reads its value. */
type Bindings = readonly (readonly [name: string, reading: EmitRead])[];

const bind = (name: string, operand: Operand): Bindings[number] => [name, () => operand];

/**
 * Emits code that reads the variables `self` and `oldSelf` and tests their types. Leaves out a variable that the rule does not mention.
 * Returns the name of each emitted variable with a function that returns its operand (the code of the value).
 */
export function bindRule(g: Generator, self: DeclaredType): Bindings {
  const type = typeIfMentioned(g.checked, 'self');
  const oldType = typeIfMentioned(g.checked, 'oldSelf');
  return [
    ...(type === undefined ? [] : [bind('self', readVariable(g, SELF_VARIABLE, self, type))]),
    ...(oldType === undefined ? [] : [bind('oldSelf', readVariable(g, js`oldSelf`, self, oldType))]),
  ];
}

/**
 * Emits code that reads each variable that an expression mentions, and tests its type. If a variable has no value or is an error, the
 * emitted code returns undefined. Returns pairs: the name of a variable, and a function that returns the operand (code) for its value.
 */
export function bindNames(g: Generator, types: ReadonlyMap<string, CelType>): Bindings {
  const mentioned = new Set([...g.checked.references.values()].map(({ name }) => name));
  return [...types].filter(([name]) => mentioned.has(name)).map(([name, type]) => bind(name, readNamed(g, name, type)));
}

/**
 * Emits a read of a variable that is a CEL value. If the variable has no value or is an error, the code returns undefined, and the
 * interpreter evaluates the expression.
 */
function readNamed(g: Generator, name: string, type: CelType): Operand {
  const value = g.hold('value', js`variables[${g.constants.name(name)}]`);
  g.writer.bail(js`${value} === undefined || ${isError(g, value)}`);
  return unboxed(g, value, type);
}

/** Emits a read of `self` or `oldSelf`, which is either raw data or already a CEL value. */
function readVariable(g: Generator, variable: Fragment, declared: DeclaredType, type: CelType): Operand {
  if (type.kind === 'optional') {
    if (g.environment.semantics.optionalsLoseSchemas) return g.giveUp('an old value without its schema');
    return readOptionalVariable(g, variable, declared, type.value);
  }
  const { schema } = declared;
  if (rawShape(schema, type).kind === 'rawObject' && !g.isValid) g.writer.bail(js`${variable} === undefined`);
  if (schema.intOrString || rawShape(schema, type).kind !== 'value') return readRaw(g, variable, schema, type);
  g.writer.bail(js`${variable} === undefined || ${variable} === null`);
  return { code: variable, shape: { kind: 'value', type } };
}

/** Emits a read of a variable that may be absent. The type of its value is tested only if the variable is present. */
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

/** Returns the static type of a variable. Returns undefined if the expression does not mention the variable. */
function typeIfMentioned(checked: CheckedExpression, variable: string): CelType | undefined {
  for (const [id, reference] of checked.references)
    if (reference.name === variable && isVariable(checked, id)) return checked.types.get(id);
  return undefined;
}

const isVariable = (checked: CheckedExpression, id: number): boolean => checked.types.get(id)?.kind !== 'type';
