import { compileRegex } from '#go';
import { FOLDED_CONVERSIONS, PATTERN_FUNCTIONS, PLANNED_FUNCTIONS } from '../../library/all.ts';
import { childrenOf } from '../../language/syntax/ast.ts';
import type { CallExpr, Expr } from '../../language/syntax/ast.ts';
import { planInterpreted } from './plan.ts';
import type { CheckedExpression } from '../../language/check/checked.ts';
import type { Environment } from '../../language/environment.ts';
import type { Evaluation, EvaluationLimits, Program, ProgramResult, Variables } from '../program.ts';

/**
 * Prepares (plans) an expression for the interpreter, like `planInterpreted`. If planning cannot fail, it is delayed until the first
 * evaluation. The delay saves time, because most rules of a definition are never evaluated, or run as generated code.
 *
 * @param checked Returns the expression. It is called when the expression is planned.
 * @param canFail Result of {@link canFailToPlan} for the expression. The caller may have computed it with another environment if the
 * checker's results are the same in both environments.
 */
export function planWhenRun(
  checked: () => CheckedExpression,
  environment: Environment,
  canFail = canFailToPlan(checked(), environment),
): ProgramResult {
  return canFail ? planInterpreted(checked(), environment) : { ok: true, program: new UnplannedProgram(checked, environment) };
}

/** An interpreted program that is planned at its first evaluation. */
class UnplannedProgram implements Program {
  readonly engine = 'interpreted';
  readonly #plan: () => Program;
  #planned: Program | undefined;

  constructor(checked: () => CheckedExpression, environment: Environment) {
    this.#plan = () => {
      const planned = planInterpreted(checked(), environment);
      if (!planned.ok) throw new Error(`planning was not expected to fail: ${planned.error}`);
      return planned.program;
    };
  }

  evaluate(variables: Variables, limits: EvaluationLimits): Evaluation {
    return (this.#planned ??= this.#plan()).evaluate(variables, limits);
  }
}

/**
 * Returns true if planning an expression may fail. Planning fails if a constant cannot be converted, or if it is an invalid pattern or an
 * invalid map key. It also fails for names that are unknown at run time. If the result is true, planning may still succeed.
 */
export function canFailToPlan(checked: CheckedExpression, environment: Environment): boolean {
  const { references, types } = checked;
  /** Returns true if planning may convert a part to a constant. */
  const maybeConstant = (node: Expr): boolean => {
    switch (node.kind) {
      case 'ident':
      case 'select':
        return references.get(node.id)?.constant !== undefined || isTypeName(node);
      case 'call':
        return FOLDED_CONVERSIONS.has(node.function) || PLANNED_FUNCTIONS.get(node.function) === 'in';
      case 'constant':
      case 'list':
      case 'map':
        return true;
      case 'struct':
      case 'comprehension':
        return false;
    }
  };
  const isTypeName = ({ id }: Expr): boolean => references.has(id) && types.get(id)?.kind === 'type';
  const callCanFail = (call: CallExpr): boolean => {
    const operands = childrenOf(call);
    const [first, second] = operands;
    const name = call.function;
    const kind = PLANNED_FUNCTIONS.get(name);
    if (!environment.functions.has(name)) return true;
    if (FOLDED_CONVERSIONS.has(name) && first !== undefined && maybeConstant(first)) return true;
    if (second === undefined) return false;
    if (PATTERN_FUNCTIONS.has(name)) return maybeConstant(second) && !isPattern(second);
    return (kind === 'index' || kind === 'optionalIndex') && maybeConstant(second) && !isPlainKey(second);
  };
  const canFail = (node: Expr): boolean => {
    if (node.kind === 'call' && callCanFail(node)) return true;
    if (node.kind === 'struct' && environment.messages(node.typeName) === undefined) return true;
    if ((node.kind === 'ident' || node.kind === 'select') && references.has(node.id)) return isTypeName(node);
    return childrenOf(node).some(canFail);
  };
  return canFail(checked.root);
}

const isPattern = (node: Expr): boolean =>
  node.kind === 'constant' && node.constant.type === 'string' && compileRegex(node.constant.value).ok;

const KEY_TYPES: ReadonlySet<string> = new Set(['string', 'int', 'uint', 'bool', 'double']);

const isPlainKey = (node: Expr): boolean => node.kind === 'constant' && KEY_TYPES.has(node.constant.type);
