import type { CheckedExpression } from '../../language/check/checked.ts';
import type { Environment } from '../../language/environment.ts';
import { js } from '../../library/code/javascript.ts';
import type { DeclaredType } from '../../values/schema/declared-type.ts';
import { emitNode } from './emit.ts';
import { isTooLong, sourceOf } from './generate.ts';
import type { Generated } from './generate.ts';
import { Generator, TOO_LONG } from './generator.ts';
import { bindRule } from './variables.ts';

const HEAD = js`function price(self, limit, token, run)`;

/**
 * Turns a rule without an older self into a function of valid data (see `KnownData`) that gives the rule's exact cost where it is true, and undefined where it is
 * not, fails, or is for the interpreter. Little is left of most rules then: no type is tested, no required field looked for, no character counted.
 */
export function generatePrice(checked: CheckedExpression, environment: Environment, self: DeclaredType): Generated {
  const g = new Generator({ checked, environment, columns: new Set(), isValid: true }, emitNode, () => js`return undefined;`);
  const value = g.within(bindRule(g, self), () => g.emitTest(checked.root));
  if (g.obstacle !== undefined) return { ok: false, obstacle: g.obstacle };
  g.writer.flush();
  g.writer.line(js`return ${value.code} ? cost : undefined;`);
  const source = sourceOf(g, HEAD);
  if (isTooLong(source)) return { ok: false, obstacle: TOO_LONG };
  return { ok: true, source, constants: g.constants.values, runsLong: g.runsLong };
}
