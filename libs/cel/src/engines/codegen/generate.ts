import type { CheckedExpression } from '../../language/check/checked.ts';
import type { Environment } from '../../language/environment.ts';
import { joined, js } from '../../library/code/javascript.ts';
import type { Fragment } from '../../library/code/javascript.ts';
import type { DeclaredType } from '../../values/schema/declared-type.ts';
import { boxed } from './boxing.ts';
import { emitNode } from './emit.ts';
import { Generator, SELF_VARIABLE, TOO_LONG } from './generator.ts';
import type { KnownData } from './generator.ts';
import { bindNames, bindRule } from './variables.ts';
import type { CodeVariables } from './variables.ts';

/** Generated code with the values to which it refers, or the reason why there is no code. */
export type Generated =
  | { readonly ok: true; readonly source: string; readonly constants: readonly unknown[]; readonly runsLong: boolean }
  | { readonly ok: false; readonly obstacle: string };

/**
 * Value of `KnownData` for data about which nothing is known. The code generator then assumes that no list is stored in columns, and that
 * the data may be invalid under its schema.
 */
export const ANY_DATA: KnownData = { columns: new Set(), isValid: false };

const RULE_HEAD = js`function rule(self, oldSelf, limit, token, run)`;
const EXPRESSION_HEAD = js`function expression(variables, none, limit, token, run)`;

/** Maximum length of generated source in characters, without indentation. V8 does not optimize much longer functions. */
const MAX_SOURCE = 30_000;

/**
 * Generates a JavaScript function that returns the value of an expression and stores its exact cost in `run`. The function supports the
 * data that rules usually read. It returns undefined if it meets values of wrong types or unsafe integers, or if the cost exceeds the
 * limit. The interpreter must then evaluate the expression from the start.
 *
 * @param data Known facts about the data of the variables.
 */
export function generate(
  checked: CheckedExpression,
  environment: Environment,
  variables: CodeVariables,
  data: KnownData = ANY_DATA,
): Generated {
  const g = new Generator({ checked, environment, ...data }, emitNode);
  const bindings = variables.kind === 'rule' ? bindRule(g, variables.self) : bindNames(g, variables.types);
  const value = g.within(bindings, () => boxed(g, g.emit(checked.root)));
  if (g.obstacle !== undefined) return { ok: false, obstacle: g.obstacle };
  g.writer.flush();
  g.writer.line(js`run.cost = cost;`);
  g.writer.line(js`return ${value};`);
  const source = functionSource(g, variables.kind === 'rule' ? RULE_HEAD : EXPRESSION_HEAD);
  if (isTooLong(source)) return { ok: false, obstacle: TOO_LONG };
  return { ok: true, source, constants: g.constants.values, runsLong: g.runsLong };
}

/** Returns true if a source is too long for V8's optimizer. Indentation does not count. */
export function isTooLong(source: string): boolean {
  return source.length > MAX_SOURCE && source.replaceAll(/^ +/gm, '').length > MAX_SOURCE;
}

/**
 * Returns JavaScript source that evaluates to a function. `head` is the start of the function with its name and parameters. The function's
 * body is the code that the generator has written.
 */
function functionSource(g: Generator, head: Fragment): string {
  const lines: Fragment[] = [...g.constants.declarations(), js`return ${head} {`];
  const opened = lines.map(({ source }) => source).join('\n');
  return `"use strict";\n${opened}\n  let cost = 0;\n${g.writer.source()}\n};`;
}

/**
 * Generated function that computes the cost of a rule for valid data, or the reason why the function cannot be generated. `fields` contains
 * the names of the fields of `self` whose values the function takes as arguments.
 */
export type GeneratedPrice = Generated & { readonly fields: readonly string[] };

/**
 * Generates a function that computes the cost of a rule for valid data (see `KnownData`). The rule must not use `oldSelf`. The function
 * returns the exact cost if the rule is true. It returns undefined if the rule is false, fails, or needs the interpreter. The code is
 * usually short, because it does not test types and required fields and does not count characters.
 */
export function generatePrice(checked: CheckedExpression, environment: Environment, self: DeclaredType): GeneratedPrice {
  const g = new Generator({ checked, environment, columns: new Set(), isValid: true }, emitNode, () => js`return undefined;`);
  const value = g.within(bindRule(g, self), () => g.emitTest(checked.root));
  const fields = [...g.fieldsOfSelf.keys()];
  if (g.obstacle !== undefined) return { ok: false, obstacle: g.obstacle, fields };
  g.writer.flush();
  g.writer.line(js`return ${value.code} ? cost : undefined;`);
  const parameters = joined([SELF_VARIABLE, js`limit`, js`token`, js`run`, ...g.fieldsOfSelf.values()], ', ');
  const source = functionSource(g, js`function price(${parameters})`);
  if (isTooLong(source)) return { ok: false, obstacle: TOO_LONG, fields };
  return { ok: true, source, constants: g.constants.values, runsLong: g.runsLong, fields };
}
