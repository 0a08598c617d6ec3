import { compileRegex } from '#go';
import { constantValue } from '../../values/constant-value.ts';
import { ContextCall } from '../../library/define.ts';
import { CelError } from '../../values/value.ts';
import type { CheckedExpression } from '../check/checked.ts';
import type { Constant } from '../../values/constant-value.ts';
import type { CallExpr } from '../syntax/ast.ts';
import type { Issues } from '../syntax/issues.ts';

/**
 * Checks the first argument of a call at compile time if the argument is a constant. If `check` is `call`, the call must succeed for this
 * argument. If `check` is `pattern`, the argument must be a valid regular expression. Source: cel-go cel/validator.go `formatValidator`
 * (v0.29.2).
 */
export function validateLiteralArgument(checked: CheckedExpression, call: CallExpr, check: 'call' | 'pattern', issues: Issues): void {
  const argument = call.args[0];
  if (argument?.kind !== 'constant') return;
  const sound = check === 'pattern' ? isPattern(argument.constant) : succeeds(checked, call, argument.constant);
  if (!sound) issues.report(checked.offsets.get(argument.id), `invalid ${call.function} argument`);
}

const isPattern = (constant: Constant): boolean => constant.type !== 'string' || compileRegex(constant.value).ok;

function succeeds(checked: CheckedExpression, call: CallExpr, constant: Constant): boolean {
  const overload = checked.references.get(call.id)?.overloads[0];
  if (overload === undefined || call.args.length !== 1 || overload.call instanceof ContextCall) return true;
  return !(overload.call(constantValue(constant)) instanceof CelError);
}
