import type { DeclaredFunction, DeclaredOverload } from '../../language/check/declarations.ts';
import { ContextCall } from '../../library/define.ts';
import type { CallPrice, Overload } from '../../library/define.ts';
import { CelError, NO_SUCH_OVERLOAD } from '../../values/value.ts';
import type { CelValue } from '../../values/value.ts';
import { fitsType, hasTrait, isReceiver, typeOfValue } from '../../values/type-of.ts';
import { runtimeTypeName } from '../../values/types/type.ts';
import type { EvaluationContext } from '../../values/evaluation-context.ts';

/** Implementation of a call: the function, its cost, and the treatment of arguments that are errors. */
export interface Implementation {
  readonly call: (args: readonly CelValue[], context: EvaluationContext) => CelValue;
  /** True if the evaluation of arguments stops at the first error in all minor versions. */
  readonly variadic: boolean;
  /** True if the function is also called with arguments that are errors. */
  readonly nonStrict: boolean;
  /** True if a call is charged although its argument is an error. Before 1.38, all calls with at most two arguments are. */
  readonly paysForErrors?: boolean | undefined;
  readonly measure: CallPrice | undefined;
  readonly panics: Overload['panics'];
}

/**
 * Returns the first error among the arguments. If no argument is an error, returns the error `no such overload: f(int, string)`. Source:
 * cel-go common/decls/decls.go `MaybeNoSuchOverload`.
 */
function noOverloadFor(name: string, args: readonly CelValue[], { semantics }: EvaluationContext): CelError {
  const error = args.find((arg) => arg instanceof CelError);
  if (error instanceof CelError) return error;
  return new CelError(
    `no such overload: ${name}(${args.map((arg) => runtimeTypeName(typeOfValue(arg), semantics)).join(', ')})`,
    'noSuchOverload',
  );
}

/**
 * Converts the declared implementation of an overload to a function with two parameters: the list of arguments and the evaluation context.
 */
function applied(call: Overload['call']): Implementation['call'] {
  if (!(call instanceof ContextCall)) return (args) => call(...args);
  const { apply } = call;
  return (args, context) => apply(context, ...args);
}

function fits(overload: Overload, guarded: boolean, args: readonly CelValue[]): boolean {
  const { parameters } = overload;
  if (parameters.length !== args.length) return false;
  if (!guarded) return true;
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] as CelValue;
    if (arg instanceof CelError ? overload.nonStrict !== true : !fitsType(parameters[i] as Overload['result'], arg)) return false;
  }
  return true;
}

/**
 * Returns the implementation of a call. If the function is guarded by a trait, one overload implements all calls whose first argument has
 * this trait. Otherwise, the overload that the checker found is called. If the checker found several, they are tried in order. Source:
 * cel-go common/decls/decls.go `Bindings`, interpreter/planner.go `planCall` (v0.29.2).
 */
export function implementationOf(
  declared: DeclaredFunction,
  candidates: readonly Overload[],
  argumentCount: number,
  nodeId: number,
): Implementation {
  const resolved = candidates.length === 1 ? candidates[0] : undefined;
  const { measure, panics } = resolved ?? { measure: declared.measure, panics: undefined };
  const { guard = 'types', name } = declared;
  if (guard !== 'types' && guard !== 'none') {
    const overload = resolved ?? (declared.overloads[0] as DeclaredOverload).overload;
    const text = `no such overload: ${name}${argumentCount > 2 ? ` ${nodeId}` : ''}`;
    const apply = applied(overload.call);
    const call: Implementation['call'] = (args, context) => {
      const first = args[0] as CelValue;
      if (hasTrait(first, guard)) return apply(args, context);
      return isReceiver(first) ? NO_SUCH_OVERLOAD : new CelError(text, 'noSuchOverload');
    };
    return { call, variadic: argumentCount > 2, nonStrict: false, paysForErrors: resolved?.paysForErrors, measure, panics };
  }
  const guarded = guard === 'types';
  const single = resolved ?? (declared.overloads.length === 1 ? declared.overloads[0]?.overload : undefined);
  if (single !== undefined) {
    const apply = applied(single.call);
    const call: Implementation['call'] = (args, context) =>
      fits(single, guarded, args) ? apply(args, context) : noOverloadFor(name, args, context);
    return {
      call,
      variadic: single.variadic === true,
      nonStrict: single.nonStrict === true,
      paysForErrors: single.paysForErrors,
      measure,
      panics,
    };
  }
  const overloads = declared.overloads.map(({ overload }) => ({ overload, apply: applied(overload.call) }));
  const call: Implementation['call'] = (args, context) => {
    const found = overloads.find(({ overload }) => fits(overload, guarded, args));
    return found === undefined ? noOverloadFor(name, args, context) : found.apply(args, context);
  };
  return { call, variadic: true, nonStrict: false, measure, panics };
}
