import type { CheckedExpression } from '../../language/check/checked.ts';
import type { Environment } from '../../language/environment.ts';
import { joined, js } from '../../library/code/javascript.ts';
import type { DeclaredType } from '../../values/schema/declared-type.ts';
import { emitNode } from './emit.ts';
import { isTooLong, functionSource } from './generate.ts';
import type { Generated } from './generate.ts';
import { Generator, SELF_VARIABLE, TOO_LONG } from './generator.ts';
import { bindRule } from './variables.ts';

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
